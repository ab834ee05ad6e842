/* While it is played: the director plays, and whoever waits is told of it, by a view of the progress, by
 * a line for each match or by the feed. */

#include "base/message.h"
#include "cli/command.h"
#include "cli/tournament.h"

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
    const struct schedule *schedule = agenda_schedule(tournament->agenda);
    unsigned from = tournament->next_shown;
    size_t count;
    struct result *results;

    while (tournament->next_shown <= schedule_count(schedule) &&
           agenda_block(tournament->agenda, tournament->next_shown) != AGENDA_OPEN)
        tournament->next_shown++;
    if (tournament->next_shown == from)
        return;
    results = agenda_results(tournament->agenda, &count);
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

static void on_end(void *context, enum director_end end)
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
    director_stop(tournament->director);
}

static bool has_remote(const struct plan *plan)
{
    for (unsigned i = 0; i < plan->bot_count; i++) {
        if (plan->bots[i].remote != NULL)
            return true;
    }
    return false;
}

/* A bot that runs elsewhere has a connection for one match, and comes again after it: a second match at
 * the same time would wait for it while its time to start runs. */
static struct director_setup director_setup(struct tournament *tournament)
{
    const struct plan *plan = tournament->plan;
    unsigned workers = tournament->jobs >= 0 ? (unsigned)tournament->jobs : plan->jobs;
    bool is_single = has_remote(plan);

    return (struct director_setup){
        .jobs = {.rules = plan->rules,
                 .clock = plan->clock,
                 .start_ms = plan->start_ms,
                 .move_ms = plan->move_ms,
                 .bank_ms = plan->bank_ms,
                 .contain = tournament->level,
                 .keeps_bots = plan->keeps_bots,
                 .tables = is_single ? 1 : plan->tables,
                 .entrants = tournament->by_number,
                 .store = tournament->store},
        .workers = is_single ? 1 : workers,
        .store = tournament->store,
        .programme = agenda_programme(tournament->agenda, on_block, tournament),
        .on_message = tournament_on_message,
        .on_end = on_end,
        .context = tournament,
    };
}

static int tell_end(const struct tournament *tournament)
{
    if (tournament->end == DIRECTOR_PAUSED)
        feed_note(tournament->feed, "some matches were void time and again and are missing");
    return feed_end(tournament->feed, tournament->end, tournament->interrupts > 1);
}

int tournament_play(struct tournament *tournament)
{
    struct director_setup setup = director_setup(tournament);
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
    tournament->end = DIRECTOR_STOPPED;
    tournament->next_shown = 1;
    if (tournament->feed != NULL)
        feed_begin(tournament->feed, tournament->base, tournament->agenda, tournament->store);
    tournament->director = director_new(tournament->base, &setup);
    if (!tournament->is_quiet && tournament->feed == NULL) {
        tournament->progress =
            progress_new(tournament->base, tournament->agenda, tournament->store);
        progress_watch(tournament->progress, tournament->director);
    }
    event_base_dispatch(tournament->base);
    progress_free(tournament->progress);
    tournament->progress = NULL;
    if (tournament->shows_each)
        print_decided(tournament);
    director_free(tournament->director);
    if (tournament->feed != NULL && tell_end(tournament) != 0)
        code = CLI_FAILED;
    event_free(interrupt);
    event_free(terminate);
    event_base_free(tournament->base);
    tournament->base = NULL;
    return code;
}
