/* The host ties the bots of a match to the match itself.
 *
 * A match is in one of three states: bots say hello, questions go back and forth, bots leave. Lines of
 * a bot are judged while its question is open (answer_check.h); what comes of the question is told to the
 * match, which may ask the next ones at once. on_end is called when the last bot is gone. */

#include "match/match_host.h"

#include "base/memory.h"
#include "match/log_file.h"
#include "match/answer_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How long a bot may take to leave by itself after its last line. */
#define GRACE_MS 500

/* As much of its last words as a report of a fault shows. */
#define STDERR_TAIL_BYTES 600

#define ENDING_BYTES 80

struct match_host_seat {
    struct match_host *host;
    unsigned seat;
    struct bot *bot;
    struct pooled_bot *pooled; /* with a stable: what goes on with the bot */
    struct bot_line_hello hello;
    bool is_hello;
    bool is_first; /* the open question is the first of this match to a bot that had waited */
    struct answer_check reply;
    char ending[ENDING_BYTES]; /* how its process ended after it was let go */
};

struct match_host {
    struct match_host_setup setup;
    struct match *match;
    struct log_file *log;
    char log_hash[LOG_RECORD_HASH_HEX];
    struct match_host_seat seats[ALLEGRA_SEATS_MAX];
    unsigned bots_left; /* that are still to leave */
    bool is_ending;
    bool is_stale;
    char *void_words;
    int error; /* the errno of it, or 0 */
};

static void make_void(struct match_host *host, const char *what, int error)
{
    const char *why =
        error != 0 ? strerror(error) : "it did not wait for this match as it had offered";
    size_t size = strlen(what) + strlen(why) + 3;

    if (host->void_words != NULL)
        return;
    host->error = error;
    host->void_words = xcalloc(size, 1);
    snprintf(host->void_words, size, "%s: %s", what, why);
}

/* What the bots wrote to stderr lies beside the log. */
static void save_stderr(struct match_host *host, unsigned seat, const char *bytes, size_t length)
{
    size_t size;
    char *path;
    FILE *file;

    if (host->setup.log_path == NULL || length == 0)
        return;
    size = strlen(host->setup.log_path) + 20;
    path = xcalloc(size, 1);
    snprintf(path, size, "%s.stderr.%u", host->setup.log_path, seat);
    file = fopen(path, "we");
    if (file == NULL || fwrite(bytes, 1, length, file) != length || fflush(file) != 0)
        make_void(host, path, errno);
    if (file != NULL)
        fclose(file);
    free(path);
}

static void end_if_all_left(struct match_host *host)
{
    if (!host->is_ending || host->bots_left > 0)
        return;
    if (host->log != NULL &&
        log_file_close(host->log, !host->setup.leaves_sync, host->log_hash) != 0)
        make_void(host, host->setup.log_path, errno);
    host->log = NULL;
    host->setup.on_end(host->setup.context, host);
}

/* A bot that may stay goes back to the others that wait. */
static void keep_bot(struct match_host *host, unsigned seat)
{
    struct match_host_seat *place = &host->seats[seat];
    struct pooled_bot *pooled = place->pooled;
    size_t length;
    const char *bytes;

    if (host->setup.chaos[seat] != NULL)
        bot_chaos_flush(host->setup.chaos[seat], place->bot);
    bot_flush(place->bot);
    bytes = bot_stderr(place->bot, &length);
    save_stderr(host, seat, bytes, length);
    pooled->bot = place->bot;
    pooled->hello = place->hello;
    pooled->asked = match_id(host->match, seat);
    pooled_bot_see(pooled, host->setup.deal);
    place->bot = NULL;
    place->pooled = NULL;
    host->bots_left--;
    bot_pool_put(host->setup.pool, pooled);
}

static void on_left(void *context, const struct bot *bot)
{
    struct match_host_seat *place = context;
    size_t length;
    const char *bytes = bot_stderr(bot, &length);

    save_stderr(place->host, place->seat, bytes, length);
    if (bot_ending(bot) != NULL)
        snprintf(place->ending, sizeof place->ending, "%s", bot_ending(bot));
    place->host->bots_left--;
    end_if_all_left(place->host);
}

static void let_go(struct match_host *host, unsigned seat, long grace_ms)
{
    struct bot *bot = host->seats[seat].bot;

    if (bot == NULL)
        return;
    if (host->setup.chaos[seat] != NULL)
        bot_chaos_flush(host->setup.chaos[seat], bot);
    host->seats[seat].bot = NULL;
    bot_leave(bot, grace_ms, on_left, &host->seats[seat]);
}

/* What the match asks for. */

static void tell(void *context, unsigned seat, const char *bytes, size_t length)
{
    struct match_host *host = context;

    if (host->seats[seat].bot == NULL)
        return;
    if (host->setup.chaos[seat] != NULL)
        bot_chaos_tell(host->setup.chaos[seat], bytes, length);
    else
        bot_tell(host->seats[seat].bot, bytes, length);
}

static void dismiss(void *context, unsigned seat)
{
    let_go(context, seat, 0);
}

static bool give(void *context, unsigned seat, struct allegra_answer *answer)
{
    struct match_host *host = context;

    return host->setup.given(host->setup.context, seat, answer);
}

static void add_to_log(void *context, const char *record, size_t length)
{
    struct match_host *host = context;

    if (host->log != NULL)
        log_file_add(host->log, record, length);
}

static void show(void *context, const struct match *match, const struct allegra_events *events)
{
    struct match_host *host = context;

    if (host->setup.watch.on_events != NULL)
        host->setup.watch.on_events(host->setup.watch.context, match, events);
}

static void show_fault(void *context, const struct match *match, unsigned seat,
                       const struct match_reply *reply)
{
    struct match_host *host = context;

    if (host->setup.watch.on_fault != NULL)
        host->setup.watch.on_fault(host->setup.watch.context, match, seat, reply);
}

static enum bot_verdict on_line(void *context, const char *line, size_t length,
                                enum bot_outcome *fault, const char **words)
{
    struct match_host_seat *place = context;
    const struct match *match = place->host->match;
    struct answer_check_question question = {match_table(match), place->seat,
                                             match_id(match, place->seat)};
    struct span span = {line, length};

    if (place->is_hello)
        return answer_check_take_hello(&place->reply, &place->hello, span, fault, words);
    return answer_check_take_line(&place->reply, &question, span, fault, words);
}

/* The end of a question. */

static struct match_reply reply_of(const struct match_host_seat *place,
                                   const struct bot_result *result)
{
    const char *ending = place->bot != NULL ? bot_ending(place->bot) : NULL;
    struct match_reply reply = {
        .outcome = result->outcome,
        .answer = place->reply.answer,
        .say_count = place->reply.say_count,
        .time = result->time,
        .line = result->line,
        .words = result->words,
        .ending = ending != NULL ? ending : "",
        .stderr_tail = "",
    };

    for (unsigned i = 0; i < place->reply.say_count; i++)
        reply.says[i] = place->reply.says[i];
    if (result->outcome != BOT_ANSWERED && place->bot != NULL)
        reply.stderr_tail = bot_stderr_tail(place->bot, STDERR_TAIL_BYTES);
    return reply;
}

/* Bots with a question of their own are called from within it, so they must be let go or kept last of
 * all that happens to them. */
static void end_match(struct match_host *host)
{
    host->is_ending = true;
    for (unsigned seat = 0; seat < host->setup.match.seats; seat++) {
        struct match_host_seat *place = &host->seats[seat];

        if (place->bot != NULL && place->pooled != NULL && host->void_words == NULL &&
            match_keeps(host->match, seat))
            keep_bot(host, seat);
        else
            let_go(host, seat, host->void_words == NULL ? GRACE_MS : 0);
    }
    end_if_all_left(host);
}

/* Whether a question ended in a way that may come of the time between two matches. */
static bool is_of_before(const struct match_host_seat *place, enum bot_outcome outcome)
{
    return place->is_first && (outcome == BOT_GONE || outcome == BOT_UNASKED ||
                               outcome == BOT_FLOOD || outcome == BOT_DEAF);
}

static void on_end(void *context, const struct bot_result *result)
{
    struct match_host_seat *place = context;
    struct match_host *host = place->host;
    struct match_reply reply = reply_of(place, result);
    bool is_fine = result->outcome == BOT_ANSWERED;

    if (is_of_before(place, result->outcome)) {
        host->is_stale = true;
        make_void(host, host->setup.match.names[place->seat], 0);
        end_match(host);
        return;
    }
    place->is_first = false;
    if (place->is_hello)
        match_hello(host->match, place->seat, is_fine ? &place->hello : NULL, &reply);
    else
        match_told(host->match, place->seat, &reply);
    if (match_is_over(host->match))
        end_match(host);
}

static void ask_bot(struct match_host_seat *place, int64_t limit_us, bool is_hello)
{
    struct bot_listener listener = {on_line, on_end, place};
    struct bot_chaos *chaos = place->host->setup.chaos[place->seat];

    place->is_hello = is_hello;
    place->reply.say_count = 0;
    if (chaos != NULL)
        bot_chaos_ask(chaos, place->bot, limit_us, is_hello, &listener);
    else
        bot_ask(place->bot, limit_us, is_hello, &listener);
}

static void ask(void *context, unsigned seat, int64_t limit_us)
{
    struct match_host *host = context;
    const struct match_host_driver *driver = &host->setup.drivers[seat];

    if (driver->ask != NULL)
        driver->ask(driver->context, host, seat);
    else
        ask_bot(&host->seats[seat], limit_us, false);
}

static void tell_match(struct match_host *host, unsigned seat, struct match_reply reply)
{
    reply.line = "";
    reply.ending = "";
    reply.stderr_tail = "";
    match_told(host->match, seat, &reply);
    if (match_is_over(host->match))
        end_match(host);
}

void match_host_answer(struct match_host *host, unsigned seat, struct allegra_answer answer)
{
    struct match_reply reply = {.outcome = BOT_ANSWERED, .answer = answer, .words = ""};

    tell_match(host, seat, reply);
}

void match_host_give_up(struct match_host *host, unsigned seat)
{
    struct match_reply reply = {.outcome = BOT_GONE, .words = "it gave up"};

    tell_match(host, seat, reply);
}

/* The beginning. */

/* A bot that waits, if there is one; else at least the stall for a new one. */
static bool take_from_pool(struct match_host *host, unsigned seat)
{
    struct match_host_seat *place = &host->seats[seat];

    if (host->setup.pool == NULL)
        return false;
    place->pooled = bot_pool_take(host->setup.pool, host->setup.kinds[seat], host->setup.deal);
    if (place->pooled == NULL) {
        place->pooled = pooled_bot_new(host->setup.kinds[seat]);
        return false;
    }
    place->bot = place->pooled->bot;
    place->hello = place->pooled->hello;
    place->is_first = true;
    host->setup.match.is_kept[seat] = true;
    host->setup.match.asked_before[seat] = place->pooled->asked;
    host->bots_left++;
    return true;
}

static void start_bot(struct match_host *host, struct event_base *base, unsigned seat)
{
    const struct match_host_process *place = &host->setup.places[seat];
    struct bot_spec spec = {
        .argv = (const char *const *)host->setup.commands[seat]->argv,
        .folder = place->folder,
        .environment = place->environment,
        .memory_mb = place->memory_mb,
        .clock = host->setup.match.clock,
        .shows_stderr = host->setup.shows_stderr,
        .label = host->setup.match.names[seat],
        .cpu = host->setup.cpu,
        .sandbox = place->is_ours ? NULL : host->setup.sandbox,
    };

    if (take_from_pool(host, seat))
        return;
    host->seats[seat].bot = bot_start(base, &spec);
    if (host->seats[seat].bot == NULL)
        make_void(host, "a bot could not be started for want of resources", errno);
    else
        host->bots_left++;
}

static void start_all(struct match_host *host, struct event_base *base)
{
    if (host->setup.log_path != NULL) {
        host->log = log_file_open(host->setup.log_path);
        if (host->log == NULL)
            make_void(host, host->setup.log_path, errno);
    }
    for (unsigned seat = 0; seat < host->setup.match.seats && host->void_words == NULL; seat++) {
        if (host->setup.drivers[seat].ask == NULL)
            start_bot(host, base, seat);
    }
}

/* Whoever drives a seat by hand says hello at once, and who had waited has said it before. */
static void ask_hellos(struct match_host *host)
{
    static const struct bot_line_hello hello = {.name = "human"};

    for (unsigned seat = 0; seat < host->setup.match.seats; seat++) {
        if (host->seats[seat].bot != NULL && !host->seats[seat].is_first)
            ask_bot(&host->seats[seat], host->setup.match.start_ms * 1000, true);
    }
    for (unsigned seat = 0; seat < host->setup.match.seats; seat++) {
        if (host->seats[seat].bot == NULL)
            match_hello(host->match, seat, &hello, NULL);
        else if (host->seats[seat].is_first)
            match_hello(host->match, seat, &host->seats[seat].hello, NULL);
    }
}

static void stop_bots(struct match_host *host)
{
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        bot_free(host->seats[seat].bot);
        host->seats[seat].bot = NULL;
    }
}

struct match_host *match_host_start(struct event_base *base, const struct match_host_setup *setup)
{
    struct match_host *host = xcalloc(1, sizeof *host);
    struct match_ports ports = {
        .tell = tell,
        .ask = ask,
        .dismiss = dismiss,
        .given = give,
        .log = add_to_log,
        .show = show,
        .show_fault = show_fault,
        .context = host,
    };

    host->setup = *setup;
    host->setup.match.keeps_bots = setup->pool != NULL;
    for (unsigned seat = 0; seat < setup->match.seats; seat++) {
        host->seats[seat].host = host;
        host->seats[seat].seat = seat;
    }
    start_all(host, base);
    host->match = match_new(&host->setup.match, &ports);
    if (host->void_words == NULL)
        ask_hellos(host);
    else
        stop_bots(host);
    return host;
}

void match_host_free(struct match_host *host)
{
    if (host == NULL)
        return;
    stop_bots(host);
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++)
        pooled_bot_free(host->seats[seat].pooled);
    log_file_free(host->log);
    match_free(host->match);
    free(host->void_words);
    free(host);
}

const char *match_host_log_hash(const struct match_host *host)
{
    return host->log_hash;
}

const struct match *match_host_get_match(const struct match_host *host)
{
    return host->match;
}

const char *match_host_ending(const struct match_host *host, unsigned seat)
{
    return host->seats[seat].ending;
}

const char *match_host_void(const struct match_host *host)
{
    return host->void_words;
}

bool match_host_is_stale(const struct match_host *host)
{
    return host->is_stale;
}

int match_host_error(const struct match_host *host)
{
    return host->error;
}
