/* One match of a check. The bot is the only process at the table: the other seats are guests
 * that answer at random, in the next turn of the event loop. A chaos layer between the referee
 * and the bot mangles the lines and records them. A bot that is dismissed does not end the
 * match, so that its process can be waited for. */

#include "base/deal_random.h"
#include "game/allegra.h"
#include "base/memory.h"
#include "base/message.h"
#include "cli/check/cmd_check.h"
#include "cli/check/transcript.h"
#include "cli/check/forced_moves.h"
#include "cli/interrupt.h"
#include "match/match_host.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The question at which the neighbour gives up, and how many deals are tried for forced moves. */
#define QUIT_QUESTION 6
#define DEAL_TRIES 40

struct play {
    struct check *check;
    const struct scenario *scenario;
    struct match_host *host;
    struct event *on_turn;
    struct allegra_dice dice;
    struct forced_moves forced;
    struct transcript transcript;
    unsigned pending; /* mask of the seats that are asked here */
    unsigned quitter_asked;
    bool is_hello; /* the bot's open question is the hello */
    bool is_second;
    bool is_one_dismissed;
    struct allegra_table before; /* when the bot's last line came, with the next one */
    bool was_one_dismissed;
    bool was_in_buffer;
    bool has_fault;
    bool is_done;
};

static void ask_guest(void *context, struct match_host *host, unsigned seat)
{
    struct play *play = context;

    play->host = host;
    play->pending |= 1U << seat;
    event_active(play->on_turn, EV_TIMEOUT, 0);
}

static bool is_quitting(struct play *play, unsigned seat)
{
    unsigned left = (play->scenario->seat + 1) % play->scenario->seats;

    return play->scenario->has_quitter && seat == left && ++play->quitter_asked == QUIT_QUESTION;
}

static void on_turn(evutil_socket_t fd, short what, void *context)
{
    struct play *play = context;
    unsigned seat;
    struct allegra_legal legal;
    struct seat_reply reply = {.say_count = 0};

    (void)fd;
    (void)what;
    if (play->pending == 0)
        return;
    seat = (unsigned)__builtin_ctz(play->pending);
    play->pending &= play->pending - 1;
    if (play->pending != 0)
        event_active(play->on_turn, EV_TIMEOUT, 0);
    allegra_legal_list(match_table(match_host_get_match(play->host)), seat, &legal);
    if (is_quitting(play, seat)) {
        match_host_give_up(play->host, seat);
    } else {
        reply.answer = allegra_simulate_choose(&play->dice, &legal);
        match_host_answer(play->host, seat, &reply);
    }
}

static void give(void *context, unsigned seat, struct allegra_answer *answer)
{
    struct play *play = context;
    struct forced_moves *forced = &play->forced;

    if (forced->next == forced->count || forced->seats[forced->next] != seat)
        fatal("no forced move for seat %u", seat);
    *answer = forced->answers[forced->next++];
}

static void on_sent(void *context, const char *bytes, size_t length)
{
    struct play *play = context;

    transcript_add(&play->transcript, '>', bytes, length);
}

/* If it is the answer, it counts for the question as it was before. */
static void on_line(void *context, struct span line)
{
    struct play *play = context;

    transcript_add(&play->transcript, '<', line.start, line.length);
    transcript_add(&play->transcript, '<', "\n", 1);
    if (!play->is_hello)
        play->before = *match_table(match_host_get_match(play->host));
    play->was_one_dismissed = play->is_one_dismissed;
}

static void measure(struct check *check, int64_t time_us, enum allegra_question question)
{
    check->charged_us += time_us;
    histogram_add(&check->times, time_us);
    if (time_us <= check->slowest_us)
        return;
    check->slowest_us = time_us;
    check->slowest_question = question;
}

static void on_answer(void *context, const struct bot_time *time)
{
    struct play *play = context;
    struct check *check = play->check;

    if (play->is_hello) {
        if (time->charged_us > check->start_us)
            check->start_us = time->charged_us;
    } else {
        measure(check, time->charged_us, allegra_table_question(&play->before));
        coverage_add(&check->coverage, &play->before, play->scenario->seat,
                     play->was_one_dismissed);
    }
    play->is_hello = false;
}

static void on_failure(void *context, const struct bot_failure *failure)
{
    struct play *play = context;

    play->was_in_buffer = failure->was_in_buffer;
}

static struct finding finding_of(const struct play *play, const struct match *match,
                                 const struct bot_failure *failure)
{
    const struct allegra_table *table = match_table(match);

    return (struct finding){
        .scenario = play->scenario,
        .edition = table->rules.edition,
        .outcome = failure->outcome,
        .question = play->is_hello ? ALLEGRA_QUESTION_NONE : allegra_table_question(table),
        .was_in_buffer = play->was_in_buffer,
        .is_second_match = play->is_second,
        .is_one_dismissed = play->is_one_dismissed,
        .has_played = play->check->fine_count > 0,
        .round = play->is_hello ? 0 : table->round,
        .lines = transcript_last(&play->transcript),
        .line = xstrdup(failure->line),
        .message = xstrdup(failure->message),
        .ending = xstrdup(failure->ending),
        .stderr_tail = xstrdup(failure->stderr_tail),
    };
}

static void add_finding(struct check *check, struct finding finding)
{
    finding.cause = finding_find_cause(&finding, check->findings, check->finding_count);
    for (size_t i = 0; i < check->finding_count; i++) {
        struct finding *old = &check->findings[i];

        if (old->cause == finding.cause && finding_is_same(old, &finding)) {
            old->also++;
            finding_clear(&finding);
            return;
        }
    }
    check->findings =
        xrealloc(check->findings, (check->finding_count + 1) * sizeof *check->findings);
    check->findings[check->finding_count++] = finding;
}

static void on_fault(void *context, const struct match *match, unsigned seat,
                     const struct bot_failure *failure)
{
    struct play *play = context;
    bool is_wait = failure->outcome == BOT_LATE || failure->outcome == BOT_DEAF ||
                   failure->time.charged_us >= play->check->start_ms * 1000;

    if (seat != play->scenario->seat) {
        play->is_one_dismissed = true;
        return;
    }
    play->has_fault = true;
    play->check->timeouts += is_wait;
    add_finding(play->check, finding_of(play, match, failure));
}

static void on_end(void *context, struct match_host *host)
{
    struct play *play = context;

    (void)host;
    play->is_done = true;
    event_base_loopbreak(play->check->base);
}

static void seed_of(const struct play *play, unsigned attempt, uint8_t seed[DEAL_RANDOM_SEED_BYTES])
{
    const struct scenario *scenario = play->scenario;
    char text[600];

    snprintf(text, sizeof text, "%s/%u/%u/%s/%u", play->check->seed,
             check_has_rules(play->check) ? play->check->game.rules.edition : scenario->edition,
             scenario->seats, scenario->rules != NULL ? scenario->rules : "", attempt);
    deal_random_seed_from_text(seed, text);
}

static struct match_setup match_of(struct play *play)
{
    static const char *const guests[ALLEGRA_SEATS_MAX] = {"guest-0", "guest-1", "guest-2",
                                                          "guest-3", "guest-4", "guest-5"};
    const struct check *check = play->check;
    struct match_setup setup = {
        .rules = check_rules(check, play->scenario),
        .seats = play->scenario->seats,
        .clock = CLOCK_FAIR,
        .start_ms = check->start_ms,
        .move_ms = check->move_ms,
        .sandbox = sandbox_level_name(sandbox_level(check->sandbox)),
        .enforced = sandbox_enforced(check->sandbox),
        .is_guessable = true,
        .given = give,
        .given_context = play,
    };

    for (unsigned seat = 0; seat < setup.seats; seat++) {
        bool is_bot = seat == play->scenario->seat;

        setup.names[seat] = is_bot ? check->command.name : guests[seat];
        setup.commands[seat] = is_bot ? check->command.text : "";
        setup.hashes[seat] = is_bot ? check->command.hash : "";
    }
    if (rules_are_same(&setup.rules, &check->game.rules))
        setup.variant = check->game.variant;
    return setup;
}

/* Chooses the seed; with forced moves, one that leads to the question that the scenario opens
 * with. */
static void prepare(struct play *play, struct match_setup *setup, unsigned attempt)
{
    seed_of(play, attempt, setup->seed);
    for (unsigned i = 0; play->scenario->opens != ALLEGRA_QUESTION_NONE && i < DEAL_TRIES; i++) {
        seed_of(play, DEAL_TRIES * attempt + i, setup->seed);
        if (forced_moves_find(&play->forced, setup, play->scenario->seat, play->scenario->opens) ==
            0)
            break;
        forced_moves_free(&play->forced);
    }
    if (play->forced.count > 0)
        setup->branch_at = play->forced.decisions;
    setup->branch_of = play->forced.count > 0 ? "" : NULL;
    memcpy(&play->dice.state, setup->seed, sizeof play->dice.state);
}

static struct match_host_setup setup_of(struct play *play, struct bot_chaos *chaos,
                                        unsigned attempt)
{
    struct match_host_setup setup = {
        .match = match_of(play),
        .cpu = -1,
        .sandbox = play->check->sandbox,
        .watch = {.on_fault = on_fault, .context = play},
        .on_end = on_end,
        .context = play,
    };

    prepare(play, &setup.match, attempt);
    for (unsigned seat = 0; seat < setup.match.seats; seat++) {
        if (seat != play->scenario->seat)
            setup.drivers[seat] = (struct match_host_driver){ask_guest, play};
    }
    setup.commands[play->scenario->seat] = &play->check->command;
    setup.processes[play->scenario->seat] = play->check->process;
    setup.chaos[play->scenario->seat] = chaos;
    return setup;
}

static void remark_ending(struct play *play)
{
    const char *ending = match_host_ending(play->host, play->scenario->seat);

    if (strncmp(ending, "signal 9 ", strlen("signal 9 ")) == 0)
        check_remark(play->check,
                     "It did not end within 500 ms of `bye` and was killed. Let it end "
                     "at `bye` or at the end of its input.");
    else if (ending[0] != '\0' && strcmp(ending, "exit status 0") != 0)
        check_remark(play->check,
                     "It ended badly after `bye`: %s. That is not a fault, but not clean either.",
                     ending);
}

static int judge(struct play *play)
{
    struct check *check = play->check;
    const struct match *match = match_host_get_match(play->host);
    unsigned seat = play->scenario->seat;

    if (match_host_void(play->host) != NULL && !match_host_is_stale(play->host)) {
        message_say("cannot play a match: %s", match_host_void(play->host));
        return -1;
    }
    if (play->is_second &&
        (match_host_is_stale(play->host) || !match_setup_of(match)->is_kept[seat]))
        check_remark(
            check, "It offers `reuse=on`, but could not play a second match in the same process: "
                   "it ended or wrote something after `result`, or failed at the next `match` "
                   "line. It must wait for that line in silence, and then forget everything. Or do "
                   "not offer it.");
    if (!play->has_fault && match_host_void(play->host) == NULL) {
        check->options = match_options(match, seat);
        check->has_hello = true;
        remark_ending(play);
    }
    return 0;
}

/* Plays one match. With a pool, the bot may come from it and stay in it. */
static int play_match(struct play *play, struct bot_pool *pool, unsigned attempt)
{
    struct bot_chaos_observer watch = {on_sent, on_line, on_answer, on_failure, play};
    struct bot_chaos *chaos = bot_chaos_new(play->check->base, play->scenario->mangling, &watch);
    struct match_host_setup setup = setup_of(play, chaos, attempt);
    int result;

    setup.pool = pool;
    setup.deal = attempt;
    play->is_done = false;
    play->is_hello = pool == NULL || bot_pool_count(pool) == 0;
    play->on_turn = evtimer_new(play->check->base, on_turn, play);
    play->host = match_host_start(play->check->base, &setup);
    while (!play->is_done && match_host_void(play->host) == NULL && interrupt_count() == 0)
        event_base_dispatch(play->check->base);
    play->check->matches++;
    result = interrupt_count() == 0 ? judge(play) : -1;
    bot_chaos_free(chaos);
    match_host_free(play->host);
    event_free(play->on_turn);
    forced_moves_free(&play->forced);
    return result;
}

static int play_twice(struct play *play)
{
    struct bot_pool *pool = bot_pool_new(1);
    int result = play_match(play, pool, 0);

    play->is_second = true;
    if (result == 0 && !play->has_fault)
        result = play_match(play, pool, 1);
    bot_pool_free(pool);
    return result;
}

int check_play(struct check *check, const struct scenario *scenario, unsigned attempt)
{
    struct play *play = xcalloc(1, sizeof *play);
    int result;

    play->check = check;
    play->scenario = scenario;
    result = scenario->is_twice ? play_twice(play) : play_match(play, NULL, attempt);
    if (result == 0 && !play->has_fault && attempt == 0)
        check->fine[check->fine_count++] = (size_t)(scenario - scenario_at(0));
    free(play);
    return result;
}
