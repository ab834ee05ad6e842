/* While it is played: the coordinator plays, and whoever waits is told of it, by a view of the progress, by
 * a line for each match or by the feed. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/tournament/cmd_tournament.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void print_match(const struct tournament *tournament, const struct result *result)
{
    printf("%u.%u", (unsigned)result->block, result->rotation + 1U);
    for (unsigned seat = 0; seat < result->seats; seat++) {
        printf("  %u %s %.1f", result->places[seat],
               store_bot(tournament->store, result->bots[seat])->name,
               (double)result->score_halves[seat] / 2);
        if (result->faults[seat] != BOT_ANSWERED)
            printf(" %s", bot_outcome_name((enum bot_outcome)result->faults[seat]));
    }
    putchar('\n');
}

/* The matches of all blocks up to the first that is still open. */
static void print_decided(struct tournament *tournament)
{
    const struct schedule *schedule = progression_schedule(tournament->progression);
    unsigned from = tournament->next_shown;
    size_t count;
    struct result *results;

    while (tournament->next_shown <= schedule_count(schedule) &&
           progression_block(tournament->progression, tournament->next_shown) != PROGRESSION_OPEN)
        tournament->next_shown++;
    if (tournament->next_shown == from)
        return;
    results = progression_results(tournament->progression, &count);
    for (size_t i = 0; i < count; i++) {
        if (results[i].block >= from && results[i].block < tournament->next_shown)
            print_match(tournament, &results[i]);
    }
    free(results);
    (void)fflush(stdout);
}

static void on_block(void *context, unsigned block)
{
    struct tournament *tournament = context;

    if (tournament->feed != NULL)
        feed_block(tournament->feed, block);
    if (tournament->shows_each)
        print_decided(tournament);
}

static void on_end(void *context, enum coordinator_end end)
{
    struct tournament *tournament = context;

    tournament->end = end;
    event_base_loopbreak(tournament->base);
}

static void on_interrupt(evutil_socket_t fd, short what, void *context)
{
    struct tournament *tournament = context;

    (void)fd;
    (void)what;
    if (++tournament->interrupts > 1) {
        event_base_loopbreak(tournament->base);
        return;
    }
    if (tournament->feed == NULL)
        progress_say(tournament->progress,
                     "finishing the running matches; once more (Ctrl-C) stops at once");
    coordinator_stop(tournament->coordinator);
}

static bool has_remote(const struct config *config)
{
    for (unsigned i = 0; i < config->bot_count; i++) {
        if (config->bots[i].remote != NULL)
            return true;
    }
    return false;
}

/* A bot that runs elsewhere has a connection for one match, and comes again after it: a second match at
 * the same time would wait for it while its time to start runs. */
static struct coordinator_setup coordinator_setup(struct tournament *tournament)
{
    const struct config *config = tournament->config;
    unsigned workers = tournament->jobs >= 0 ? (unsigned)tournament->jobs : config->jobs;
    bool is_single = has_remote(config);

    return (struct coordinator_setup){
        .jobs = {.rules = config->rules,
                 .clock = config->clock,
                 .start_ms = config->start_ms,
                 .move_ms = config->move_ms,
                 .bank_ms = config->bank_ms,
                 .sandbox = tournament->level,
                 .keeps_bots = config->keeps_bots,
                 .tables = is_single ? 1 : config->tables,
                 .bot_setups = tournament->by_number,
                 .store = tournament->store},
        .workers = is_single ? 1 : workers,
        .store = tournament->store,
        .source = progression_source(tournament->progression, on_block, tournament),
        .on_message = tournament_on_message,
        .on_end = on_end,
        .context = tournament,
    };
}

static int tell_end(const struct tournament *tournament)
{
    if (tournament->end == COORDINATOR_PAUSED)
        feed_note(tournament->feed, "some matches were void time and again and are missing");
    return feed_end(tournament->feed, tournament->end, tournament->interrupts > 1);
}

int tournament_play(struct tournament *tournament)
{
    struct coordinator_setup setup = coordinator_setup(tournament);
    struct event *interrupt;
    struct event *terminate;
    int code = CLI_FINE;

    tournament->base = event_base_new();
    if (tournament->base == NULL) {
        message_say("the event loop could not be set up");
        return CLI_FAILED;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    interrupt = evsignal_new(tournament->base, SIGINT, on_interrupt, tournament);
    terminate = evsignal_new(tournament->base, SIGTERM, on_interrupt, tournament);
    evsignal_add(interrupt, NULL);
    evsignal_add(terminate, NULL);
    tournament->end = COORDINATOR_STOPPED;
    tournament->next_shown = 1;
    if (tournament->feed != NULL)
        feed_begin(tournament->feed, tournament->base, tournament->progression, tournament->store);
    tournament->coordinator = coordinator_new(tournament->base, &setup);
    if (!tournament->is_quiet && tournament->feed == NULL) {
        tournament->progress =
            progress_new(tournament->base, tournament->progression, tournament->store);
        progress_watch(tournament->progress, tournament->coordinator);
    }
    event_base_dispatch(tournament->base);
    progress_free(tournament->progress);
    tournament->progress = NULL;
    if (tournament->shows_each)
        print_decided(tournament);
    coordinator_free(tournament->coordinator);
    if (tournament->feed != NULL && tell_end(tournament) != 0)
        code = CLI_FAILED;
    event_free(interrupt);
    event_free(terminate);
    event_base_free(tournament->base);
    tournament->base = NULL;
    return code;
}
