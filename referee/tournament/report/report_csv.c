/* A table of columns, each with a heading and a function for its field, would be longer than the
 * fields themselves: so headings and fields are two functions in the same order, and a test
 * compares their counts. Times come last, so that they can be cut off. */

#include "tournament/report/report_private.h"

#include "tournament/report/escape_print.h"

#include <math.h>

static void put_headings(FILE *file, unsigned seats)
{
    fputs("place,bot,name,is_withdrawn,matches,rounds,rating,rating_low,rating_high,is_unbeaten,"
          "rank_best,rank_worst,score,score_low,score_high,win_share,adjusted,adjusted_low,"
          "adjusted_high,"
          "adjusted_win_share",
          file);
    for (unsigned place = 1; place <= seats; place++)
        fprintf(file, ",place_%u", place);
    for (unsigned seat = 0; seat < seats; seat++)
        fprintf(file, ",seat_%u_matches,seat_%u_score", seat, seat);
    fputs(",peek_gain,peek_allowed,peek_one_in,repeat_blocks,repeat_first,repeat_later,repeat_p,is_"
          "suspicious,faults",
          file);
    for (unsigned cause = BOT_ANSWERED + 1; cause < BOT_OUTCOME_COUNT; cause++)
        fprintf(file, ",%s", bot_outcome_name((enum bot_outcome)cause));
    fputs(",median_us,p99_us\r\n", file);
}

static void put_decimal(FILE *file, double value, unsigned digits)
{
    fputc(',', file);
    escape_print_csv_number(file, value, digits);
}

static void put_interval(FILE *file, double value, struct interval interval, unsigned digits)
{
    put_decimal(file, value, digits);
    put_decimal(file, interval.low, digits);
    put_decimal(file, interval.high, digits);
}

static void put_counts(FILE *file, const struct standing *row, unsigned seats)
{
    for (unsigned place = 0; place < seats; place++)
        fprintf(file, ",%u", row->places[place]);
    for (unsigned seat = 0; seat < seats; seat++) {
        fprintf(file, ",%u", row->seat_matches[seat]);
        put_decimal(file, row->seat_score[seat], 3);
    }
    put_decimal(file, row->peek.gain, 3);
    put_decimal(file, row->peek.allowed, 3);
    put_decimal(file, floor(row->peek.one_in), 0);
    fprintf(file, ",%u", row->repeat.blocks);
    put_decimal(file, row->repeat.first, 3);
    put_decimal(file, row->repeat.later, 3);
    put_decimal(file, row->repeat.p, 6);
    fprintf(file, ",%d,%u", report_is_suspicious(row), row->fault_count);
    for (unsigned cause = BOT_ANSWERED + 1; cause < BOT_OUTCOME_COUNT; cause++)
        fprintf(file, ",%u", row->faults[cause]);
}

static void put_row(FILE *file, const struct standing *row, unsigned place, unsigned seats)
{
    fprintf(file, "%u,%u,", place, row->bot);
    escape_print_csv_text(file, row->name);
    fprintf(file, ",%d,%u,%u", row->is_withdrawn, row->matches, row->rounds);
    put_interval(file, row->rating, row->rating_interval, 1);
    fprintf(file, ",%d", row->is_unbeaten);
    if (row->ranks.best > 0)
        fprintf(file, ",%u,%u", row->ranks.best, row->ranks.worst);
    else
        fputs(",,", file);
    put_interval(file, row->score, row->score_interval, 3);
    put_decimal(file, row->win_share, 4);
    put_interval(file, row->adjusted, row->adjusted_interval, 3);
    put_decimal(file, row->adjusted_win_share, 4);
    put_counts(file, row, seats);
    if (row->matches > 0)
        fprintf(file, ",%ld,%ld\r\n", (long)row->median_us, (long)row->p99_us);
    else
        fputs(",,\r\n", file);
}

void report_csv(FILE *file, const struct report *report)
{
    const struct standings *standings = report->standings;

    put_headings(file, standings->seats);
    for (unsigned row = 0; row < standings->count; row++)
        put_row(file, &standings->rows[row], row + 1, standings->seats);
}

static void put_pair(FILE *file, const struct standings *standings, unsigned row, unsigned column)
{
    size_t cell = (size_t)row * standings->count + column;

    fprintf(file, "%u,%u,", row + 1, column + 1);
    escape_print_csv_text(file, standings->rows[row].name);
    fputc(',', file);
    escape_print_csv_text(file, standings->rows[column].name);
    fprintf(file, ",%u", standings->met[cell]);
    put_decimal(file, standings->cross[cell], 4);
    fputs("\r\n", file);
}

void report_csv_cross(FILE *file, const struct report *report)
{
    const struct standings *standings = report->standings;

    fputs("row,column,row_name,column_name,matches,share\r\n", file);
    for (unsigned row = 0; row < standings->count; row++)
        for (unsigned column = 0; column < standings->count; column++)
            if (row != column && standings->met[(size_t)row * standings->count + column] > 0)
                put_pair(file, standings, row, column);
}
