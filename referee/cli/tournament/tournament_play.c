/* While a tournament is played: progress on stderr, a line per match, or the feed. */

#include "cli/cli.h"
#include "cli/tournament/cmd_tournament.h"
#include "cli/tournament/distribution.h"

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

/* Prints the matches of all blocks up to the first that is still open. */
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

static void on_block_decided(void *context, unsigned block)
{
    struct tournament *tournament = context;

    if (tournament->feed != NULL)
        feed_block(tournament->feed, block);
    if (tournament->shows_each)
        print_decided(tournament);
}

/* A remote bot has a connection for one match and reconnects after it: a second match at the same
 * time would wait for that while its time to start runs. */
static bool has_remote(const struct config *config)
{
    for (unsigned i = 0; i < config->bot_count; i++) {
        if (config->bots[i].remote != NULL)
            return true;
    }
    return false;
}

static void on_idle(void *context, unsigned worker)
{
    const struct tournament *tournament = context;

    feed_idle(tournament->feed, worker);
}

struct task_setup tournament_task_setup(const struct tournament *tournament)
{
    const struct config *config = tournament->config;

    return (struct task_setup){
        .rules = config->rules,
        .variant = config->variant,
        .clock = config->clock,
        .may_ponder = config->may_ponder,
        .measures_luck = config->measures_luck,
        .start_ms = config->start_ms,
        .move_ms = config->move_ms,
        .bank_ms = config->bank_ms,
        .sandbox = tournament->level,
        .admitted = tournament->sandbox,
        .keeps_bots = config->keeps_bots,
        .tables = has_remote(config) ? 1 : config->tables,
        .most_tables = tournament->most_tables,
        .silence_ms = 1000 * tournament->silence_s,
        .bot_setups = tournament->by_number,
        .folder = store_folder(tournament->store),
        .is_guessable = store_is_guessable(tournament->store),
        .store = tournament->store,
    };
}

static const struct lane *open_lane(void *context, struct event_base *base)
{
    const struct tournament *tournament = context;

    return distribution_open(tournament->distribution, base);
}

static void close_lane(void *context)
{
    const struct tournament *tournament = context;

    distribution_close(tournament->distribution);
}

static struct runner_setup runner_setup(struct tournament *tournament)
{
    const struct config *config = tournament->config;
    unsigned workers = tournament->workers >= 0 ? (unsigned)tournament->workers : config->workers;
    bool is_single = has_remote(config);

    return (struct runner_setup){
        .tasks = tournament_task_setup(tournament),
        /* Whoever steers it lets only one of them play. */
        .workers = is_single && !tournament->is_steered ? 1 : workers,
        .is_steered = tournament->is_steered,
        .is_elsewhere =
            tournament->distribution != NULL && tournament->workers <= 0 && !tournament->is_steered,
        .open_lane = tournament->distribution != NULL ? open_lane : NULL,
        .close_lane = close_lane,
        .on_idle = on_idle,
        .store = tournament->store,
        .source = progression_source(tournament->progression, on_block_decided, tournament),
        .view = tournament_view(tournament),
        .is_quiet = tournament->is_quiet,
        .on_message = tournament->feed != NULL ? tournament_on_message : NULL,
        .context = tournament,
    };
}

/* A remote bot is connected to this machine. Returns 0, or -1 after it has said why not. */
static int distribute(struct tournament *tournament)
{
    if (tournament->gearman[0] == NULL)
        return 0;
    if (has_remote(tournament->config)) {
        tournament_on_message(tournament, "a remote bot plays: all matches are played here");
        return 0;
    }
    tournament->distribution = distribution_new(tournament);
    return tournament->distribution != NULL ? 0 : -1;
}

int tournament_play(struct tournament *tournament)
{
    struct runner_setup setup;
    int code = CLI_FINE;

    if (distribute(tournament) != 0)
        return CLI_FAILED;
    setup = runner_setup(tournament);
    tournament->next_shown = 1;
    tournament->runner = runner_new(&setup);
    if (tournament->runner == NULL)
        return CLI_FAILED;
    if (tournament->feed != NULL)
        feed_begin(tournament->feed, runner_base(tournament->runner), tournament->progression,
                   tournament->store);
    if (tournament->is_feed_closed)
        runner_abort(tournament->runner);
    tournament->end = runner_play(tournament->runner);
    if (tournament->shows_each)
        print_decided(tournament);
    if (tournament->feed != NULL && feed_end(tournament->feed, tournament->end) != 0)
        code = CLI_FAILED;
    runner_free(tournament->runner);
    tournament->runner = NULL;
    distribution_free(tournament->distribution);
    tournament->distribution = NULL;
    return code;
}
