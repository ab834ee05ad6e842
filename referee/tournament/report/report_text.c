/* The report for a terminal: the standings, and below them one table per topic. A line above each
 * table says how to read it; bots are referred to by their place in the standings. */

#include "tournament/report/report_private.h"

#include "base/memory.h"
#include "base/text.h"
#include "tournament/report/text_grid.h"
#include "tournament/report/escape_print.h"

#include <stdlib.h>
#include <string.h>

#define CROSS_BOTS_MAX 12

static void put_head(FILE *file, const struct report *report)
{
    char *subtitle = report_subtitle(report, REPORT_ENGLISH);
    char *state = report_state(report, REPORT_ENGLISH);
    char *warning;

    escape_print_plain(file, "%s\n%s\n%s\n", report->title, subtitle, state);
    escape_print_plain(file, "%s matches of %s deals count\n",
                       report_language_count(REPORT_ENGLISH, report->standings->matches).text,
                       report_language_count(REPORT_ENGLISH, report->standings->blocks).text);
    for (unsigned i = 0; (warning = report_warning(report, i, REPORT_ENGLISH)) != NULL; i++) {
        escape_print_plain(file, "warning: %s\n", warning);
        free(warning);
    }
    free(subtitle);
    free(state);
}

static void add_headings(struct text_grid *grid, const char *const *headings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        escape_print_plain(text_grid_cell(grid), "%s", headings[i]);
}

static void add_name(struct text_grid *grid, const struct standings *standings, unsigned row)
{
    escape_print_plain(text_grid_cell(grid), "%u", row + 1);
    escape_print_plain(text_grid_cell(grid), "%s", standings->rows[row].name);
}

static void add_decimal(struct text_grid *grid, double value, unsigned digits)
{
    FILE *cell = text_grid_cell(grid);

    if (digits == 0)
        escape_print_plain(cell, "%.0f", value);
    else if (digits == 1)
        escape_print_plain(cell, "%.1f", value);
    else
        escape_print_plain(cell, "%.2f", value);
}

static void add_time(struct text_grid *grid, const struct standing *row, int64_t value_us)
{
    escape_print_plain(text_grid_cell(grid), "%s",
                       row->matches > 0 ? escape_print_time(value_us).text : "-");
}

static const char *note_on(const struct standing *row)
{
    if (row->is_withdrawn)
        return row->is_unbeaten ? "withdrawn, no bound" : "withdrawn";
    return row->is_unbeaten ? "no bound" : "";
}

/* As numbers, because lines are short. */
static void add_ranks(FILE *cell, struct rank_range ranks)
{
    if (ranks.best > 0)
        escape_print_plain(cell, "%u", ranks.best);
    if (ranks.worst > ranks.best)
        escape_print_plain(cell, "-%u", ranks.worst);
}

static void add_standing(struct text_grid *grid, const struct standings *standings, unsigned place)
{
    const struct standing *row = &standings->rows[place];

    add_name(grid, standings, place);
    escape_print_plain(text_grid_cell(grid), row->rating >= 0.5 ? "+%.0f" : "%.0f", row->rating);
    add_decimal(grid, report_margin(row->rating_interval), 0);
    add_ranks(text_grid_cell(grid), row->ranks);
    add_decimal(grid, row->score, 2);
    if (standings->is_adjusted)
        add_decimal(grid, row->adjusted, 2);
    add_decimal(grid, report_margin(report_score_interval(standings, row)), 2);
    add_decimal(grid, 100 * row->win_share, 1);
    if (standings->is_adjusted)
        add_decimal(grid, 100 * row->adjusted_win_share, 1);
    escape_print_plain(text_grid_cell(grid), "%u", row->matches);
    escape_print_plain(text_grid_cell(grid), "%u", row->fault_count);
    add_time(grid, row, row->median_us);
    add_time(grid, row, row->p99_us);
    escape_print_plain(text_grid_cell(grid), "%s", note_on(row));
}

static void put_grid(FILE *file, struct text_grid *grid, unsigned columns)
{
    text_grid_print(grid, file, columns);
    text_grid_free(grid);
}

static bool has_unbeaten(const struct standings *standings)
{
    for (unsigned row = 0; row < standings->count; row++)
        if (standings->rows[row].is_unbeaten)
            return true;
    return false;
}

static void put_standings(FILE *file, const struct standings *standings, unsigned columns)
{
    static const char *const raw[] = {"#",    "bot",   "rating", "+-",  "rank", "score", "+-",
                                      "win%", "games", "flt",    "med", "p99",  ""};
    static const char *const adjusted[] = {"#",     "bot", "rating", "+-",   "rank",
                                           "score", "adj", "+-",     "win%", "adj",
                                           "games", "flt", "med",    "p99",  ""};
    struct text_grid *grid =
        text_grid_new(standings->is_adjusted ? "rnrrlrrrrrrrrrl" : "rnrrlrrrrrrrl");

    add_headings(grid, standings->is_adjusted ? adjusted : raw,
                 standings->is_adjusted ? ARRAY_LEN(adjusted) : ARRAY_LEN(raw));
    for (unsigned row = 0; row < standings->count; row++)
        add_standing(grid, standings, row);
    fputs("\nStandings. Fewer points per round are better. +- spans 95 %. 400 rating\n"
          "points are odds of ten to one. A rank of \"4-9\": with 95 % certainty for all\n"
          "bots at once, this bot is at best 4th and at worst 9th.\n",
          file);
    if (standings->is_adjusted)
        fputs("adj is adjusted: without what the cards gave; the same mean, mostly less chance.\n"
              "The +- before win% belongs to the adjusted score; ranks and ratings count points\n"
              "as they fell.\n",
              file);
    if (has_unbeaten(standings))
        fputs("\"no bound\": won or lost all against some bots; its rating may be far off.\n",
              file);
    put_grid(file, grid, columns);
}

/* The columns of a table with place, name and `count` numbers. Free it. */
static char *numeric_columns(unsigned count)
{
    char *columns = xcalloc(count + 3, 1);

    memset(columns, 'r', count + 2);
    columns[1] = 'n';
    return columns;
}

static void put_seats(FILE *file, const struct standings *standings, unsigned columns)
{
    char *form = numeric_columns(2 * standings->seats);
    struct text_grid *grid = text_grid_new(form);

    fputs("\nPoints per round by seat, and how often each place was taken.\n", file);
    escape_print_plain(text_grid_cell(grid), "#");
    escape_print_plain(text_grid_cell(grid), "bot");
    for (unsigned seat = 0; seat < standings->seats; seat++)
        escape_print_plain(text_grid_cell(grid), "seat %u", seat);
    for (unsigned place = 0; place < standings->seats; place++)
        escape_print_plain(text_grid_cell(grid), "%u.", place + 1);
    for (unsigned row = 0; row < standings->count; row++) {
        add_name(grid, standings, row);
        for (unsigned seat = 0; seat < standings->seats; seat++)
            add_decimal(grid, standings->rows[row].seat_score[seat], 2);
        for (unsigned place = 0; place < standings->seats; place++)
            escape_print_plain(text_grid_cell(grid), "%u", standings->rows[row].places[place]);
    }
    put_grid(file, grid, columns);
    free(form);
}

static void add_suspicion(struct text_grid *grid, bool is_suspicious)
{
    escape_print_plain(text_grid_cell(grid), "%s", is_suspicious ? "suspicious" : "");
}

static void put_evidence(FILE *file, const struct report *report, unsigned columns)
{
    static const char *const headings[] = {"bot", "seat", "luck", "command"};
    struct text_grid *grid = text_grid_new("nrrl");

    add_headings(grid, headings, ARRAY_LEN(headings));
    for (unsigned i = 0; i < report->evidence_count; i++) {
        const struct report_match *match = &report->evidence[i];
        char *command = report_command(match);

        escape_print_plain(text_grid_cell(grid), "%s", match->bot);
        escape_print_plain(text_grid_cell(grid), "%u", match->seat);
        add_decimal(grid, match->gain, 1);
        escape_print_plain(text_grid_cell(grid), "%s", command);
        free(command);
    }
    fputs("\nThe matches in which the suspicious bots had the most luck.\n", file);
    put_grid(file, grid, columns);
}

/* Whether the choices of a bot among hidden cards are luckier than chance. */
static void put_choices(FILE *file, const struct report *report, unsigned columns)
{
    static const char *const headings[] = {"#", "bot", "luck", "allowed", "one in", ""};
    const struct standings *standings = report->standings;
    struct text_grid *grid = text_grid_new("rnrrrl");

    add_headings(grid, headings, ARRAY_LEN(headings));
    for (unsigned row = 0; row < standings->count; row++) {
        const struct peek *peek = &standings->rows[row].peek;

        add_name(grid, standings, row);
        add_decimal(grid, peek->gain, 2);
        add_decimal(grid, peek->allowed, 2);
        escape_print_plain(text_grid_cell(grid), "%s",
                           report_language_count(REPORT_ENGLISH, (unsigned long)peek->one_in).text);
        add_suspicion(grid, peek->is_suspicious);
    }
    fputs("\nWho knows the cards? Points per match that a bot gained by its choices among\n"
          "hidden cards (a card from the draw pile, a cell to turn up). Without knowledge\n"
          "of the cards the mean is 0, and chance allows a little more. So much luck comes\n"
          "by chance in at most one of so many tournaments, all bots considered.\n",
          file);
    put_grid(file, grid, columns);
    if (report->evidence_count > 0)
        put_evidence(file, report, columns);
}

/* Whether a bot may know the cards of a deal that comes again. */
static void put_repeats(FILE *file, const struct standings *standings, unsigned columns)
{
    static const char *const headings[] = {"#", "bot", "first", "later", "gain", "p", ""};
    struct text_grid *grid = text_grid_new("rnrrrrl");

    add_headings(grid, headings, ARRAY_LEN(headings));
    for (unsigned row = 0; row < standings->count; row++) {
        const struct repeat_gain *repeat = &standings->rows[row].repeat;

        add_name(grid, standings, row);
        add_decimal(grid, repeat->first, 2);
        add_decimal(grid, repeat->later, 2);
        add_decimal(grid, repeat->first - repeat->later, 2);
        escape_print_plain(text_grid_cell(grid), "%.3f", repeat->p);
        add_suspicion(grid, repeat->is_suspicious);
    }
    fputs("\nPoints per round in the first match of a deal and in the later ones. p is how\n"
          "probable such a gain is by chance, all bots considered.\n",
          file);
    put_grid(file, grid, columns);
}

/* The causes that occurred; returns how many. */
static unsigned find_causes(const struct standings *standings,
                            enum bot_outcome causes[BOT_OUTCOME_COUNT])
{
    unsigned count = 0;

    for (unsigned cause = BOT_ANSWERED + 1; cause < BOT_OUTCOME_COUNT; cause++)
        if (report_fault_sum(standings, (enum bot_outcome)cause) > 0)
            causes[count++] = (enum bot_outcome)cause;
    return count;
}

static void put_faults(FILE *file, const struct standings *standings, unsigned columns)
{
    enum bot_outcome causes[BOT_OUTCOME_COUNT];
    unsigned count = find_causes(standings, causes);
    char *form = numeric_columns(count);
    struct text_grid *grid = text_grid_new(form);

    escape_print_plain(text_grid_cell(grid), "#");
    escape_print_plain(text_grid_cell(grid), "bot");
    for (unsigned i = 0; i < count; i++)
        escape_print_plain(text_grid_cell(grid), "%s", bot_outcome_name(causes[i]));
    for (unsigned row = 0; row < standings->count; row++) {
        if (standings->rows[row].fault_count == 0)
            continue;
        add_name(grid, standings, row);
        for (unsigned i = 0; i < count; i++)
            escape_print_plain(text_grid_cell(grid), "%u", standings->rows[row].faults[causes[i]]);
    }
    if (count > 0) {
        fputs("\nFaults by cause, for bots that had any; each cost the bot its match.\n", file);
        text_grid_print(grid, file, columns);
    }
    text_grid_free(grid);
    free(form);
}

static void add_share(struct text_grid *grid, const struct standings *standings, unsigned row,
                      unsigned column)
{
    if (row == column)
        escape_print_plain(text_grid_cell(grid), ".");
    else
        add_decimal(grid, 100 * standings->cross[(size_t)row * standings->count + column], 0);
}

static void put_cross(FILE *file, const struct standings *standings, unsigned columns)
{
    char *form = numeric_columns(standings->count);
    struct text_grid *grid = text_grid_new(form);

    escape_print_plain(text_grid_cell(grid), "#");
    escape_print_plain(text_grid_cell(grid), "bot");
    for (unsigned column = 0; column < standings->count; column++)
        escape_print_plain(text_grid_cell(grid), "%u", column + 1);
    for (unsigned row = 0; row < standings->count; row++) {
        add_name(grid, standings, row);
        for (unsigned column = 0; column < standings->count; column++)
            add_share(grid, standings, row, column);
    }
    fputs("\nPercent of their common matches that the row was placed before the column.\n", file);
    put_grid(file, grid, columns);
    free(form);
}

static void add_match(struct text_grid *grid, const struct report_match *match)
{
    unsigned seat = match->seat;
    char *command = report_command(match);

    escape_print_plain(text_grid_cell(grid), "%s", match->bot);
    add_decimal(grid, match->scores[seat], 1);
    escape_print_plain(text_grid_cell(grid), "%u/%u", match->places[seat], match->seats);
    escape_print_plain(text_grid_cell(grid), "%u", seat);
    escape_print_plain(text_grid_cell(grid), "%s",
                       match->faults[seat] != NULL ? match->faults[seat] : "");
    escape_print_plain(text_grid_cell(grid), "%s", command);
    free(command);
}

static void put_worst(FILE *file, const struct report *report, unsigned columns)
{
    static const char *const headings[] = {"bot", "score", "place", "seat", "fault", "command"};
    struct text_grid *grid = text_grid_new("nrrrll");

    add_headings(grid, headings, ARRAY_LEN(headings));
    for (unsigned i = 0; i < report->worst_count; i++)
        add_match(grid, &report->worst[i]);
    escape_print_plain(file, "\nThe worst matches, and how to replay them%s.\n",
                       report->is_in_store ? " from the folder of this file" : "");
    put_grid(file, grid, columns);
}

void report_text(FILE *file, const struct report *report, unsigned columns)
{
    const struct standings *standings = report->standings;

    put_head(file, report);
    put_standings(file, standings, columns);
    if (standings->matches > 0) {
        put_seats(file, standings, columns);
        if (standings->has_peeks)
            put_choices(file, report, columns);
        if (standings->has_repeats)
            put_repeats(file, standings, columns);
        put_faults(file, standings, columns);
        if (standings->count <= CROSS_BOTS_MAX)
            put_cross(file, standings, columns);
        else
            escape_print_plain(file, "\nThe cross table of %u bots is in the HTML, JSON and CSV.\n",
                               standings->count);
    }
    if (report->worst_count > 0)
        put_worst(file, report, columns);
}
