/* What the progress of a tournament shows: the pace, and on a terminal the standings so far. */

#include "base/clock.h"
#include "base/memory.h"
#include "cli/tournament/cmd_tournament.h"
#include "cli/tournament/distribution.h"

#include <stdio.h>
#include <stdlib.h>

#define ROWS_MAX 12

/* A bot in the standings so far. */
struct row {
    unsigned bot;
    unsigned matches;
    unsigned rounds;
    unsigned faults;
    double wins;
    long halves;
};

static void add_duration(struct text *text, double seconds)
{
    unsigned long whole = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;

    if (whole < 60)
        text_printf(text, "%lu s", whole);
    else if (whole < 3600)
        text_printf(text, "%lu min %lu s", whole / 60, whole % 60);
    else
        text_printf(text, "%lu h %lu min", whole / 3600, whole % 3600 / 60);
}

/* "120 of 600 matches, 14.2 per second, 34 s left" */
static void summarize(void *context, struct text *line)
{
    const struct tournament *tournament = context;
    unsigned long decided = progression_decided(tournament->progression);
    unsigned long all = progression_matches(tournament->progression);
    double seconds = (double)(clock_now_us() - tournament->start_us) / 1e6;
    double rate = seconds > 0 ? (double)(decided - tournament->start_decided) / seconds : 0;

    text_printf(line, "%lu of %lu matches, %.1f per second", decided, all, rate);
    if (rate > 0) {
        text_add(line, ", ");
        add_duration(line, (double)(all - decided) / rate);
        text_add(line, " left");
    }
    if (tournament->distribution != NULL) {
        text_add(line, "; ");
        distribution_describe(tournament->distribution, line);
    }
}

static double mean_of(const struct row *row)
{
    return row->rounds > 0 ? (double)row->halves / 2 / row->rounds : 1e9;
}

static int compare_rows(const void *one, const void *other)
{
    double a = mean_of(one);
    double b = mean_of(other);

    return (a > b) - (a < b);
}

static void count_result(struct row *rows, const struct result *result)
{
    unsigned winners = 0;

    for (unsigned seat = 0; seat < result->seats; seat++)
        winners += result->places[seat] == 1;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        struct row *row = &rows[result->bots[seat]];

        row->matches++;
        row->rounds += result->rounds;
        row->halves += result->score_halves[seat];
        row->faults += result->faults[seat] != BOT_ANSWERED;
        if (result->places[seat] == 1)
            row->wins += 1.0 / winners;
    }
}

static void draw_standings(const struct tournament *tournament, struct progress *progress)
{
    unsigned bots = store_bot_count(tournament->store);
    struct row *rows = xcalloc(bots + 1, sizeof *rows);
    size_t count;
    struct result *results = progression_results(tournament->progression, &count);

    for (unsigned i = 0; i < bots; i++)
        rows[i].bot = i;
    for (size_t i = 0; i < count; i++)
        count_result(rows, &results[i]);
    qsort(rows, bots, sizeof *rows, compare_rows);
    progress_add_line(progress, "%-32s %10s %7s %8s %7s", "bot", "score", "wins", "matches",
                      "faults");
    for (unsigned i = 0; i < bots && i < ROWS_MAX; i++) {
        const struct row *row = &rows[i];
        const char *name = store_bot(tournament->store, row->bot)->name;

        if (row->matches == 0)
            progress_add_line(progress, "%-32s %10s", name, "-");
        else
            progress_add_line(progress, "%-32s %10.2f %5.1f %% %8u %7u%s", name, mean_of(row),
                              100 * row->wins / row->matches, row->matches, row->faults,
                              progression_is_out(tournament->progression, row->bot) ? " out" : "");
    }
    if (bots > ROWS_MAX)
        progress_add_line(progress, "... and %u more", bots - ROWS_MAX);
    free(results);
    free(rows);
}

static void draw(void *context, struct progress *progress)
{
    const struct tournament *tournament = context;
    const struct coordinator *coordinator = runner_coordinator(tournament->runner);
    char bytes[240];
    struct text pace;

    text_start(&pace, bytes, sizeof bytes);
    summarize(context, &pace);
    progress_add_line(progress, "%s", store_name(tournament->store));
    progress_add_bar(progress, progression_decided(tournament->progression),
                     progression_matches(tournament->progression));
    progress_add_line(progress, "%s; %u running%s", bytes, coordinator_playing(coordinator),
                      coordinator_is_waiting(coordinator) ? "; WAITING FOR THE DISK" : "");
    draw_standings(tournament, progress);
}

struct progress_view tournament_view(struct tournament *tournament)
{
    tournament->start_us = clock_now_us();
    tournament->start_decided = progression_decided(tournament->progression);
    return (struct progress_view){summarize, draw, tournament};
}
