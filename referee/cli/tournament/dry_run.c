/* How long a tournament takes depends on bots that have not been started yet. How many answers a
 * match needs is estimated: some matches are played in memory with random answers, which takes
 * somewhat longer than sensible play. The rest is arithmetic for some kinds of bots. */

#include "cli/tournament/dry_run.h"

#include "base/message.h"
#include "cli/cli.h"
#include "game/allegra.h"
#include "tournament/schedule/schedule.h"

#include <stdio.h>
#include <unistd.h>

#define TRIALS 50
#define BLOCKS_SHOWN 12
#define TRIAL_SEED 1

/* The mean number of answers in a match. */
static double answers_of_match(const struct config *config)
{
    struct allegra_dice dice = allegra_dice_from(TRIAL_SEED);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    unsigned long answers = 0;

    for (unsigned i = 0; i < TRIALS; i++) {
        struct allegra_table table;

        allegra_table_start(&table, &config->rules, config->schedule.seats, 0, &shuffler, NULL);
        while (!allegra_table_is_over(&table)) {
            unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(&table));
            struct allegra_legal legal;

            allegra_legal_list(&table, seat, &legal);
            allegra_table_apply(&table, seat, allegra_simulate_choose(&dice, &legal), &shuffler,
                                NULL);
            answers++;
        }
    }
    return (double)answers / TRIALS;
}

static void print_time(const char *label, double seconds)
{
    if (seconds < 120)
        printf("  %-44s %8.0f s\n", label, seconds);
    else if (seconds < 7200)
        printf("  %-44s %8.0f min\n", label, seconds / 60);
    else
        printf("  %-44s %8.1f h\n", label, seconds / 3600);
}

static void print_estimate(const struct config *config, unsigned long matches)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    double workers = config->workers > 0 && config->workers < cpus ? config->workers : (double)cpus;
    double answers = answers_of_match(config);
    double all = answers * (double)matches / workers;
    char label[80];

    printf("\nabout %.0f answers per match, %.0f workers; how long it takes depends on the bots:\n",
           answers, workers);
    print_time("at 0.05 ms per answer (instant, reused bots)", all * 0.00005);
    print_time("at 1 ms per answer", all * 0.001);
    print_time("at 20 ms per answer", all * 0.02);
    snprintf(label, sizeof label, "if all use their time (%ld ms per answer)", config->move_ms);
    print_time(label, all * (double)config->move_ms / 1000);
}

static void print_blocks(const struct config *config, const struct schedule *schedule)
{
    unsigned count = schedule_count(schedule);

    for (unsigned number = 1; number <= count && number <= BLOCKS_SHOWN; number++) {
        const struct block *block = schedule_block(schedule, number);

        printf("  block %u:", number);
        for (unsigned i = 0; i < block->seats; i++)
            printf(" %s", config->bots[block->bots[i]].name);
        if (config->schedule.seatings != SCHEDULE_SINGLE)
            printf(" (%u matches)", schedule_rotations(schedule, block));
        putchar('\n');
    }
    if (count > BLOCKS_SHOWN)
        printf("  ... and %u more blocks\n", count - BLOCKS_SHOWN);
}

int dry_run(const struct config *config)
{
    struct schedule *schedule = schedule_new(&config->schedule);
    const char *field;
    unsigned long fewest;
    unsigned long most;
    unsigned long matches;

    if (schedule == NULL) {
        message_say("there are too many matches: limit them with `matches`");
        return CLI_USAGE;
    }
    matches = schedule_matches(schedule);
    field = config->schedule.format == SCHEDULE_GAUNTLET ? " of the field" : "";
    schedule_meetings(schedule, &fewest, &most);
    printf("%s: %s, %u bots, %u seats, %lu matches\n", config->name,
           schedule_format_names[config->schedule.format], config->bot_count,
           config->schedule.seats, matches);
    if (config->schedule.format == SCHEDULE_SWISS)
        printf("the first of %u rounds; the others depend on its results:\n",
               config->schedule.rounds);
    else if (fewest == most)
        printf("any two bots%s meet in %lu matches; the blocks in their order:\n", field, most);
    else
        printf("any two bots%s meet in %lu to %lu matches; the blocks in their order:\n", field,
               fewest, most);
    print_blocks(config, schedule);
    print_estimate(config, matches);
    schedule_free(schedule);
    return CLI_FINE;
}
