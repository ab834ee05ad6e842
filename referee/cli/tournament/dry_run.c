/* How long a tournament takes depends on bots that have not been started yet. What can be known is how
 * many answers a match needs: some matches are played in memory with random answers, which takes
 * somewhat longer than sensible play does. The rest is arithmetic for three kinds of bots. */

#include "cli/dry_run.h"

#include "base/message.h"
#include "cli/command.h"
#include "game/simulate.h"
#include "tournament/schedule.h"

#include <stdio.h>
#include <unistd.h>

#define TRIALS 50
#define BLOCKS_SHOWN 12
#define TRIAL_SEED 1

/* The mean number of answers in a match. */
static double answers_of_match(const struct plan *plan)
{
    struct dice dice = dice_from(TRIAL_SEED);
    struct shuffler shuffler = simulate_shuffler(&dice);
    unsigned long answers = 0;

    for (unsigned i = 0; i < TRIALS; i++) {
        struct table table;

        table_start(&table, &plan->rules, plan->schedule.seats, 0, &shuffler, NULL);
        while (!table_is_over(&table)) {
            unsigned seat = (unsigned)__builtin_ctz(table_asked(&table));
            struct legal legal;

            legal_list(&table, seat, &legal);
            table_apply(&table, seat, simulate_choose(&dice, &legal), &shuffler, NULL);
            answers++;
        }
    }
    return (double)answers / TRIALS;
}

static void print_time(const char *what, double seconds)
{
    if (seconds < 120)
        printf("  %-44s %8.0f s\n", what, seconds);
    else if (seconds < 7200)
        printf("  %-44s %8.0f min\n", what, seconds / 60);
    else
        printf("  %-44s %8.1f h\n", what, seconds / 3600);
}

static void print_estimate(const struct plan *plan, unsigned long matches)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double workers = plan->jobs > 0 && plan->jobs < cores ? plan->jobs : (double)cores;
    double answers = answers_of_match(plan);
    double all = answers * (double)matches / workers;
    char words[80];

    printf("\nabout %.0f answers a match, %.0f workers; how long it takes depends on the bots:\n",
           answers, workers);
    print_time("at 0.05 ms an answer (instant, kept bots)", all * 0.00005);
    print_time("at 1 ms an answer", all * 0.001);
    print_time("at 20 ms an answer", all * 0.02);
    snprintf(words, sizeof words, "if all used their time (%ld ms an answer)", plan->move_ms);
    print_time(words, all * (double)plan->move_ms / 1000);
}

static void print_blocks(const struct plan *plan, const struct schedule *schedule)
{
    unsigned count = schedule_count(schedule);

    for (unsigned number = 1; number <= count && number <= BLOCKS_SHOWN; number++) {
        const struct block *block = schedule_block(schedule, number);

        printf("  block %u:", number);
        for (unsigned i = 0; i < block->seats; i++)
            printf(" %s", plan->bots[block->bots[i]].name);
        if (plan->schedule.seatings != SCHEDULE_SINGLE)
            printf(" (%u matches)", schedule_rotations(schedule, block));
        putchar('\n');
    }
    if (count > BLOCKS_SHOWN)
        printf("  ... and %u more blocks\n", count - BLOCKS_SHOWN);
}

int dry_run(const struct plan *plan)
{
    struct schedule *schedule = schedule_new(&plan->schedule);
    unsigned long fewest;
    unsigned long most;
    unsigned long matches;

    if (schedule == NULL) {
        message_say("there are too many matches: say with `matches` how many there may be");
        return CLI_USAGE;
    }
    matches = schedule_matches(schedule);
    schedule_meetings(schedule, &fewest, &most);
    printf("%s: %s, %u bots, %u seats, %lu matches\n", plan->name,
           schedule_format_names[plan->schedule.format], plan->bot_count, plan->schedule.seats,
           matches);
    if (plan->schedule.format == SCHEDULE_SWISS)
        printf("the first of %u rounds; the others depend on its results:\n",
               plan->schedule.rounds);
    else
        printf("two bots%s meet in %lu to %lu matches; deal blocks in their order:\n",
               plan->schedule.format == SCHEDULE_GAUNTLET ? " of the field" : "", fewest, most);
    print_blocks(plan, schedule);
    print_estimate(plan, matches);
    schedule_free(schedule);
    return CLI_FINE;
}
