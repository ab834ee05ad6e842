/* The host ties the bots of a match to the match itself.
 *
 * A match has three stages: bots say hello, questions go back and forth, bots leave. A line of a
 * bot goes to the match while its question is open; if it is the answer, the match asks the next
 * questions at once. on_end is called when the last bot is gone. */

#include "match/match_host.h"

#include "base/memory.h"
#include "bot/pulse.h"
#include "match/log_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long a bot may take to leave by itself after its last line. */
#define GRACE_MS 500

/* How long a record may wait in memory: a process that is killed loses no more of its log. */
#define FLUSH_MS 500

#define ENDING_BYTES 80

struct match_host_seat {
    struct match_host *host;
    unsigned seat;
    struct bot *bot;
    struct pooled_bot *pooled; /* with a pool: what stays with the bot */
    struct bot_line_hello hello;
    bool is_hello;
    bool is_first;    /* the open question is the first of this match to a bot from the pool */
    bool is_due;      /* its next question waits until the match is no longer held */
    int64_t limit_us; /* of that question */
    char ending[ENDING_BYTES]; /* how its process ended after it was let go */
};

struct match_host {
    struct match_host_setup setup;
    struct match *match;
    struct log_file *log;
    struct pulse *log_pulse; /* flushes it */
    char *partial_log;       /* its path until it is complete; or NULL */
    char log_hash[LOG_RECORD_HASH_HEX];
    struct match_host_seat seats[ALLEGRA_SEATS_MAX];
    unsigned bots_left; /* that are still to leave */
    bool is_ending;
    bool is_stale;
    bool is_held;
    char *void_reason;
    int error; /* its errno, or 0 */
};

/* What log_file_open() means by an errno, and what others mean. */
static const char *explain(int error)
{
    if (error == EBUSY)
        return "another referee writes it";
    if (error == EEXIST)
        return "its name with .partial belongs to a link or a device; remove that";
    return strerror(error);
}

/* Makes the match void because of `error`, an errno. `what` failed with it, `path` says where. */
static void make_void(struct match_host *host, const char *what, const char *path, int error)
{
    const char *why = explain(error);
    size_t size = strlen(what) + strlen(path) + strlen(why) + 3;

    if (host->void_reason != NULL)
        return;
    host->error = error;
    host->void_reason = xcalloc(size, 1);
    snprintf(host->void_reason, size, "%s%s: %s", what, path, why);
}

/* What the bots wrote to stderr is saved next to the log. A file of that name is replaced, and
 * never written to: it may be a link. */
static void save_stderr(struct match_host *host, unsigned seat, struct bot *bot)
{
    size_t length;
    const char *bytes = bot_stderr(bot, &length);
    char ending[20];
    char *path;
    FILE *file = NULL;

    if (host->setup.log_path == NULL || length == 0)
        return;
    snprintf(ending, sizeof ending, ".stderr.%u", seat);
    path = log_file_next_to(host->setup.log_path, ending);
    if (unlink(path) == 0 || errno == ENOENT)
        file = fopen(path, "wxe");
    if (file == NULL || fwrite(bytes, 1, length, file) != length || fflush(file) != 0)
        make_void(host, "cannot write ", path, errno);
    if (file != NULL)
        fclose(file);
    free(path);
}

/* The log. */

static void flush_log(void *context)
{
    struct match_host *host = context;

    log_file_flush(host->log);
}

static void open_log(struct match_host *host, struct event_base *base)
{
    if (host->setup.log_path == NULL)
        return;
    host->log = log_file_open(host->setup.log_path, !host->setup.leaves_sync);
    if (host->log == NULL)
        make_void(host, "cannot write the log ", host->setup.log_path, errno);
    if (host->log == NULL)
        return;
    host->log_pulse = pulse_start(base, FLUSH_MS, flush_log, host);
    if (log_file_partial_path(host->log) != NULL)
        host->partial_log = xstrdup(log_file_partial_path(host->log));
}

/* The log of a void match stays partial. */
static void end_log(struct match_host *host)
{
    struct log_file *log = host->log;

    pulse_stop(host->log_pulse);
    host->log_pulse = NULL;
    host->log = NULL;
    if (log == NULL || host->void_reason != NULL) {
        log_file_free(log);
    } else if (log_file_close(log, host->log_hash) != 0) {
        make_void(host, "cannot write the log ", host->setup.log_path, errno);
    } else {
        free(host->partial_log);
        host->partial_log = NULL;
    }
}

const char *match_host_partial_log(const struct match_host *host)
{
    return host->partial_log;
}

static void end_if_all_left(struct match_host *host)
{
    if (!host->is_ending || host->bots_left > 0)
        return;
    end_log(host);
    host->setup.on_end(host->setup.context, host);
}

/* A bot that may stay goes to the pool. */
static void keep_bot(struct match_host *host, unsigned seat)
{
    struct match_host_seat *place = &host->seats[seat];
    struct pooled_bot *pooled = place->pooled;

    if (host->setup.chaos[seat] != NULL)
        bot_chaos_flush(host->setup.chaos[seat], place->bot);
    bot_flush(place->bot);
    save_stderr(host, seat, place->bot);
    pooled->bot = place->bot;
    pooled->hello = place->hello;
    pooled->asked = match_id(host->match, seat);
    pooled_bot_see(pooled, host->setup.deal);
    place->bot = NULL;
    place->pooled = NULL;
    host->bots_left--;
    bot_pool_put(host->setup.pool, pooled);
}

static void on_left(void *context, struct bot *bot)
{
    struct match_host_seat *place = context;

    save_stderr(place->host, place->seat, bot);
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

static void add_to_log(void *context, const char *record, size_t length)
{
    struct match_host *host = context;

    if (host->log != NULL)
        log_file_add(host->log, record, length);
}

/* Called when the match is over or void. A bot whose listener is running is among those that are
 * let go, so nothing else may be done with it afterwards. */
static void end_match(struct match_host *host)
{
    host->is_ending = true;
    for (unsigned seat = 0; seat < host->setup.match.seats; seat++) {
        struct match_host_seat *place = &host->seats[seat];

        if (place->bot != NULL && place->pooled != NULL && host->void_reason == NULL &&
            match_keeps(host->match, seat))
            keep_bot(host, seat);
        else
            let_go(host, seat, host->void_reason == NULL ? GRACE_MS : 0);
    }
    end_if_all_left(host);
}

static enum bot_verdict on_line(void *context, struct span line, const struct bot_time *time,
                                struct bot_refusal *refusal)
{
    struct match_host_seat *place = context;
    struct match_host *host = place->host;
    enum bot_verdict verdict;

    if (place->is_hello)
        verdict = seat_reply_take_hello(&place->hello, line, refusal);
    else
        verdict = match_take_line(host->match, place->seat, line, time, refusal);
    if (verdict != BOT_ACCEPT)
        return verdict;
    place->is_first = false;
    if (place->is_hello)
        match_hello(host->match, place->seat, &place->hello);
    if (match_is_over(host->match))
        end_match(host);
    return BOT_ACCEPT;
}

/* Whether a fault may come from the time between two matches. */
static bool is_of_before(const struct match_host_seat *place, enum bot_outcome outcome)
{
    return place->is_first && (outcome == BOT_GONE || outcome == BOT_UNASKED ||
                               outcome == BOT_FLOOD || outcome == BOT_DEAF);
}

static void on_failure(void *context, const struct bot_failure *failure)
{
    struct match_host_seat *place = context;
    struct match_host *host = place->host;

    if (is_of_before(place, failure->outcome)) {
        host->is_stale = true;
        if (host->void_reason == NULL)
            host->void_reason = xstrdup("a bot from the pool was not ready for this match");
        end_match(host);
        return;
    }
    if (failure->is_starved) {
        if (host->void_reason == NULL)
            host->void_reason = xstrdup(failure->message);
        end_match(host);
        return;
    }
    place->is_first = false;
    match_fail(host->match, place->seat, failure);
    if (match_is_over(host->match))
        end_match(host);
}

static void ask_bot(struct match_host_seat *place, int64_t limit_us, bool is_hello)
{
    struct bot_listener listener = {on_line, on_failure, place};
    struct bot_chaos *chaos = place->host->setup.chaos[place->seat];

    place->is_hello = is_hello;
    if (chaos != NULL)
        bot_chaos_ask(chaos, place->bot, limit_us, is_hello, &listener);
    else
        bot_ask(place->bot, limit_us, is_hello, &listener);
}

static void ask(void *context, unsigned seat, struct span bytes, int64_t limit_us)
{
    struct match_host *host = context;
    struct match_host_seat *place = &host->seats[seat];
    const struct match_host_driver *driver = &host->setup.drivers[seat];

    if (driver->ask != NULL) {
        driver->ask(driver->context, host, seat);
        return;
    }
    tell(host, seat, bytes.start, bytes.length);
    place->is_due = host->is_held;
    place->limit_us = limit_us;
    if (!host->is_held)
        ask_bot(place, limit_us, false);
}

void match_host_hold(struct match_host *host, bool is_held)
{
    host->is_held = is_held;
    for (unsigned seat = 0; seat < host->setup.match.seats && !is_held; seat++) {
        struct match_host_seat *place = &host->seats[seat];

        if (place->is_due && place->bot != NULL)
            ask_bot(place, place->limit_us, false);
        place->is_due = false;
    }
}

enum allegra_refusal match_host_answer(struct match_host *host, unsigned seat,
                                       const struct seat_reply *reply)
{
    static const struct bot_time no_time;
    enum allegra_refusal refusal = match_answer(host->match, seat, reply, &no_time);

    if (match_is_over(host->match))
        end_match(host);
    return refusal;
}

void match_host_give_up(struct match_host *host, unsigned seat)
{
    static const struct bot_failure failure = {
        .outcome = BOT_GONE, .line = "", .message = "it gave up", .ending = "", .stderr_tail = ""};

    match_fail(host->match, seat, &failure);
    if (match_is_over(host->match))
        end_match(host);
}

/* The beginning. */

/* Takes a bot from the pool, if there is one; else makes a place there for a new one. */
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
    const struct match_host_process *process = &host->setup.processes[seat];
    struct bot_spec spec = {
        .argv = (const char *const *)host->setup.commands[seat]->argv,
        .folder = process->folder,
        .is_folder_shared = process->is_folder_shared,
        .environment = process->environment,
        .memory_mb = process->memory_mb,
        .problem = process->problem,
        .clock = host->setup.match.clock,
        .may_ponder = host->setup.match.may_ponder,
        .shows_stderr = host->setup.shows_stderr,
        .label = host->setup.match.names[seat],
        .cpu = host->setup.cpu,
        .sandbox = process->is_ours ? NULL : host->setup.sandbox,
    };

    if (take_from_pool(host, seat))
        return;
    host->seats[seat].bot = bot_start(base, &spec);
    if (host->seats[seat].bot == NULL)
        make_void(host, "cannot start ", host->setup.match.names[seat], errno);
    else
        host->bots_left++;
}

/* A driver says hello at once, and a bot from the pool has said it before. */
static void ask_hellos(struct match_host *host)
{
    static const struct bot_line_hello hello = {.name = "human"};

    for (unsigned seat = 0; seat < host->setup.match.seats; seat++) {
        if (host->seats[seat].bot != NULL && !host->seats[seat].is_first)
            ask_bot(&host->seats[seat], host->setup.match.start_ms * 1000, true);
    }
    for (unsigned seat = 0; seat < host->setup.match.seats; seat++) {
        if (host->seats[seat].bot == NULL)
            match_hello(host->match, seat, &hello);
        else if (host->seats[seat].is_first)
            match_hello(host->match, seat, &host->seats[seat].hello);
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
        .log = add_to_log,
        .context = host,
        .observer = setup->watch,
    };

    host->setup = *setup;
    host->setup.match.keeps_bots = setup->pool != NULL;
    host->setup.match.cores = bot_cores(setup->cpu);
    for (unsigned seat = 0; seat < setup->match.seats; seat++) {
        host->seats[seat].host = host;
        host->seats[seat].seat = seat;
    }
    open_log(host, base);
    for (unsigned seat = 0; seat < setup->match.seats && host->void_reason == NULL; seat++) {
        if (setup->drivers[seat].ask == NULL)
            start_bot(host, base, seat);
    }
    host->match = match_new(&host->setup.match, &ports);
    if (host->void_reason == NULL)
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
    pulse_stop(host->log_pulse);
    log_file_free(host->log);
    match_free(host->match);
    free(host->partial_log);
    free(host->void_reason);
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
    return host->void_reason;
}

bool match_host_is_stale(const struct match_host *host)
{
    return host->is_stale;
}

int match_host_error(const struct match_host *host)
{
    return host->error;
}
