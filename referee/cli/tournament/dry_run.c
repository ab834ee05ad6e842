/* How long a tournament takes depends on bots that have not been started yet. How many answers a
 * match needs is estimated: some matches are played in memory with random answers, which takes
 * somewhat longer than sensible play. The rest is arithmetic for some kinds of bots.
 *
 * The number of groups grows quickly with the number of bots. Where the matches would take more
 * than a week, two ways are proposed that take one night. */

#include "cli/tournament/dry_run.h"

#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "game/allegra.h"
#include "tournament/play/progression.h"
#include "tournament/schedule/schedule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define TRIALS 50
#define BLOCKS_SHOWN 12
#define TRIAL_SEED 1

/* Of bots that think a little. */
#define ANSWER_S 0.02
#define NIGHT_S (8 * 3600.0)
#define WEEK_S (7 * 86400.0)

/* What a match leaves on the disk, whose smallest pieces have 4 kB: a folder, a compressed log and
 * a record. From matches of four `greedy`: 9.1 kB with de2026, 13.8 kB with en2020. */
#define LOG_BYTES_PER_ANSWER 10
#define DISK_BYTES_PER_MATCH 7000

struct estimate {
    const struct config *config;
    unsigned long matches; /* in all */
    unsigned long played;
    double answers; /* per match */
    double workers;
};

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

static double seconds_of(const struct estimate *estimate, double matches, double answer_s)
{
    return estimate->answers * matches / estimate->workers * answer_s;
}

static unsigned long left(const struct estimate *estimate)
{
    return estimate->matches > estimate->played ? estimate->matches - estimate->played : 0;
}

static void print_time(const struct estimate *estimate, const char *label, double answer_s)
{
    double seconds = seconds_of(estimate, (double)left(estimate), answer_s);

    if (seconds < 120)
        printf("  %-44s %8.0f s\n", label, seconds);
    else if (seconds < 7200)
        printf("  %-44s %8.0f min\n", label, seconds / 60);
    else if (seconds < 2 * 86400)
        printf("  %-44s %8.1f h\n", label, seconds / 3600);
    else
        printf("  %-44s %8.0f days\n", label, seconds / 86400);
}

static void print_times(const struct estimate *estimate)
{
    char label[80];

    printf("\nabout %.0f answers per match, %.0f workers; how long it takes depends on the bots:\n",
           estimate->answers, estimate->workers);
    print_time(estimate, "at 0.05 ms per answer (instant, reused bots)", 0.00005);
    print_time(estimate, "at 1 ms per answer", 0.001);
    print_time(estimate, "at 20 ms per answer", ANSWER_S);
    snprintf(label, sizeof label, "if all use their time (%ld ms per answer)",
             estimate->config->move_ms);
    print_time(estimate, label, (double)estimate->config->move_ms / 1000);
}

static void write_bytes(struct text *text, double bytes)
{
    if (bytes < 1e9)
        text_printf(text, "%.0f MB", bytes < 1e6 ? 1 : bytes / 1e6);
    else
        text_printf(text, "%.1f GB", bytes / 1e9);
}

/* What is free where the output goes, or its nearest folder above that is there; negative if nobody
 * knows. */
static double free_bytes(const char *output)
{
    char *path = xstrdup(output);
    struct statvfs status;
    char *slash;
    double bytes = -1;

    while (statvfs(path, &status) != 0 && (slash = strrchr(path, '/')) != NULL && slash != path)
        *slash = '\0';
    if (statvfs(path, &status) == 0 || statvfs(path[0] == '/' ? "/" : ".", &status) == 0)
        bytes = (double)status.f_bavail * (double)status.f_frsize;
    free(path);
    return bytes;
}

static void print_disk(const struct estimate *estimate)
{
    double per_match = estimate->answers * LOG_BYTES_PER_ANSWER + DISK_BYTES_PER_MATCH;
    double needed = per_match * (double)left(estimate);
    double is_free = free_bytes(estimate->config->output);
    char bytes[80];
    struct text text;

    text_start(&text, bytes, sizeof bytes);
    write_bytes(&text, needed);
    if (is_free >= 0) {
        text_add(&text, "; free there: ");
        write_bytes(&text, is_free);
    }
    printf("disk for the logs in %s: about %s\n", estimate->config->output, bytes);
    if (is_free >= 0 && needed > is_free)
        message_say("the disk is too small: the tournament would stop and wait for space");
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

/* What was played before. */

static bool is_in_config(const struct config *config, const char *name)
{
    for (unsigned i = 0; i < config->bot_count; i++) {
        if (strcmp(config->bots[i].name, name) == 0)
            return true;
    }
    return false;
}

/* The results that count, without those of bots that are no longer in the file. */
static unsigned long count_results(const struct config *config, const struct store *store,
                                   const struct progression *progression)
{
    unsigned long known = 0;
    size_t count;
    struct result *results = progression_results(progression, &count);

    for (size_t i = 0; i < count; i++) {
        unsigned seat = 0;

        while (seat < results[i].seats &&
               is_in_config(config, store_bot(store, results[i].bots[seat])->name))
            seat++;
        known += seat == results[i].seats;
    }
    free(results);
    return known;
}

static void count_played(struct estimate *estimate)
{
    const char *output = estimate->config->output;
    char message[600];
    struct text problem;
    struct store *store;
    struct progression *progression = NULL;

    text_start(&problem, message, sizeof message);
    if (access(output, F_OK) != 0)
        return;
    store = store_open(output, JOURNAL_READ, &problem);
    if (store != NULL && !store_is_new(store))
        progression = progression_new(store, &problem);
    if (progression != NULL) {
        estimate->played = count_results(estimate->config, store, progression);
        printf("played already, in %s: %lu matches; left: %lu\n", output, estimate->played,
               left(estimate));
    } else if (problem.length > 0) {
        message_say("%s", message);
    }
    progression_free(progression);
    store_free(store);
}

/* Proposals. */

/* The two leading digits, so that nobody takes it for more than an example. */
static unsigned long round_down(double number)
{
    unsigned long unit = 1;

    while (number >= 100 * (double)unit)
        unit *= 10;
    return (unsigned long)(number / (double)unit) * unit;
}

/* Sets as many deals as fit into that many matches. Returns how many matches they make. */
static unsigned long fit_deals(struct schedule_setup *setup, unsigned long matches)
{
    unsigned long each;

    setup->deals = 1;
    each = schedule_expect(setup);
    if (each > 0 && matches / each > 1)
        setup->deals = (unsigned)(matches / each);
    return schedule_expect(setup);
}

/* Swiss needs a round for each time that the field can be halved. */
static unsigned rounds_for(unsigned bots)
{
    unsigned rounds = 3;

    while (rounds < 20 && 1U << rounds < bots)
        rounds++;
    return rounds;
}

static void propose(const struct estimate *estimate)
{
    struct schedule_setup swiss = estimate->config->schedule;
    unsigned long matches = round_down(NIGHT_S / seconds_of(estimate, 1, ANSWER_S) + swiss.seats);
    unsigned long each = matches * swiss.seats / (swiss.bots > 0 ? swiss.bots : 1);

    if (seconds_of(estimate, (double)estimate->matches, ANSWER_S) <= WEEK_S)
        return;
    printf("\n%lu matches are more than anybody needs. What fits into a night of 8 hours, at 20 ms "
           "per answer:\n",
           estimate->matches);
    if (swiss.format != SCHEDULE_SWISS)
        printf("  \"matches\": %lu: a balanced choice, in which each bot plays about %lu\n",
               matches, each);
    swiss.format = SCHEDULE_SWISS;
    swiss.matches = 0;
    swiss.rounds = rounds_for(swiss.bots);
    matches = fit_deals(&swiss, matches);
    printf("  \"format\": \"swiss\", \"rounds\": %u, \"deals\": %u: %lu matches, mostly between "
           "bots of similar strength\n",
           swiss.rounds, swiss.deals, matches);
}

static void print_schedule(const struct config *config, const struct schedule *schedule)
{
    const char *field = config->schedule.format == SCHEDULE_GAUNTLET ? " of the field" : "";
    unsigned long fewest;
    unsigned long most;

    schedule_meetings(schedule, &fewest, &most);
    if (config->schedule.format == SCHEDULE_SWISS)
        printf("the first of %u rounds; the others depend on its results:\n",
               config->schedule.rounds);
    else if (fewest == most)
        printf("any two bots%s meet in %lu matches; the blocks in their order:\n", field, most);
    else
        printf("any two bots%s meet in %lu to %lu matches; the blocks in their order:\n", field,
               fewest, most);
    print_blocks(config, schedule);
}

int dry_run(const struct config *config)
{
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    struct schedule *schedule = schedule_new(&config->schedule);
    struct estimate estimate = {
        .config = config,
        .matches =
            schedule != NULL ? schedule_matches(schedule) : schedule_expect(&config->schedule),
        .answers = answers_of_match(config),
        .workers = config->workers > 0 && config->workers < cpus ? config->workers : (double)cpus,
    };
    bool is_possible = schedule != NULL;

    printf("%s: %s, %u bots, %u seats, %lu matches\n", config->name,
           schedule_format_names[config->schedule.format], config->bot_count,
           config->schedule.seats, estimate.matches);
    count_played(&estimate);
    if (is_possible)
        print_schedule(config, schedule);
    print_times(&estimate);
    print_disk(&estimate);
    propose(&estimate);
    (void)fflush(stdout);
    if (!is_possible)
        message_say("there are too many matches: limit them with `matches`");
    schedule_free(schedule);
    return is_possible ? CLI_FINE : CLI_USAGE;
}
