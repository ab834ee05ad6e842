/* The charts of each bot: its rating with the interval, and the distributions of its scores and
 * thinking times. */

#include "tournament/report/report_private.h"

#include "tournament/report/svg_axis.h"
#include "tournament/report/svg_chart.h"
#include "tournament/report/escape_print.h"

#include <math.h>

#define TICKS_MOST 7

static void draw_rating(FILE *file, const struct svg_chart *chart, const struct standing *row)
{
    const struct svg_axis *axis = &chart->axis;

    svg_chart_put_rules(file, axis);
    svg_chart_put_whisker(file, axis, row->rating_interval);
    if (isfinite(row->rating))
        escape_print_html(file, "<circle class=\"dot\" cx=\"%.2f%%\" cy=\"50%%\" r=\"5\"/>",
                          svg_axis_percent(axis, row->rating));
}

static void put_rating_numbers(const struct report_page *page, const struct standing *row)
{
    escape_print_html(page->file, "<b>%s</b> <span class=\"soft\">± %.0f</span> ",
                      report_language_signed(REPORT_ENGLISH, row->rating).text,
                      report_margin(row->rating_interval));
    report_page_put_ranks(page, row);
}

/* Widens a range to have a value in it, if that is a number. */
static void include(struct interval *range, double value)
{
    if (isfinite(value)) {
        range->low = fmin(range->low, value);
        range->high = fmax(range->high, value);
    }
}

static struct svg_axis rating_axis(const struct standings *standings)
{
    struct interval range = {INFINITY, -INFINITY};

    for (unsigned row = 0; row < standings->count; row++) {
        include(&range, standings->rows[row].rating);
        include(&range, standings->rows[row].rating_interval.low);
        include(&range, standings->rows[row].rating_interval.high);
    }
    return svg_axis_linear(range.low, range.high, TICKS_MOST);
}

static double bin_start(const struct standing *row, unsigned bin)
{
    return row->score_least + row->score_step * bin;
}

static struct svg_axis score_axis(const struct standings *standings)
{
    struct interval range = {INFINITY, -INFINITY};

    for (unsigned place = 0; place < standings->count; place++) {
        const struct standing *row = &standings->rows[place];

        for (unsigned bin = 0; bin < STANDINGS_BINS; bin++)
            if (row->score_bins[bin] > 0) {
                include(&range, bin_start(row, bin));
                include(&range, bin_start(row, bin + 1));
            }
    }
    return svg_axis_linear(range.low, range.high, TICKS_MOST);
}

/* What part of its matches is in a bin. */
static double bin_share(const struct standing *row, unsigned bin)
{
    unsigned long sum = 0;

    for (unsigned i = 0; i < STANDINGS_BINS; i++)
        sum += row->score_bins[i];
    return sum > 0 ? (double)row->score_bins[bin] / (double)sum : 0;
}

static double highest_bin(const struct standings *standings)
{
    double highest = 0;

    for (unsigned row = 0; row < standings->count; row++)
        for (unsigned bin = 0; bin < STANDINGS_BINS; bin++)
            highest = fmax(highest, bin_share(&standings->rows[row], bin));
    return highest > 0 ? highest : 1;
}

static void draw_scores(FILE *file, const struct svg_chart *chart, const struct standing *row)
{
    svg_chart_put_rules(file, &chart->axis);
    svg_chart_open_shape(file);
    for (unsigned bin = 0; bin < STANDINGS_BINS; bin++)
        svg_chart_put_column(file, &chart->axis,
                             (struct interval){bin_start(row, bin), bin_start(row, bin + 1)},
                             bin_share(row, bin) / chart->height);
    svg_chart_close_shape(file);
    if (isfinite(row->score))
        svg_chart_put_mark(file, "mark", svg_axis_percent(&chart->axis, row->score));
}

static void put_score_numbers(const struct report_page *page, const struct standing *row)
{
    fputs("<b>", page->file);
    report_page_put_decimal(page, row->score, 2);
    fputs("</b> <span class=\"soft\">± ", page->file);
    report_page_put_decimal(page, report_margin(row->score_interval), 2);
    fputs("</span>", page->file);
}

/* Where a box begins: halfway from the middle of the one before. */
static double box_start(unsigned box)
{
    return box == 0 ? 0 : (double)(histogram_middle(box - 1) + histogram_middle(box)) / 2;
}

/* How many are in a box for its width on the axis. */
static double box_density(const struct histogram *times, const struct svg_axis *axis, unsigned box)
{
    double width =
        svg_axis_percent(axis, box_start(box + 1)) - svg_axis_percent(axis, box_start(box));

    return width > 0.01 ? times->counts[box] / width : 0;
}

static void put_times_shape(FILE *file, const struct svg_axis *axis, const struct histogram *times)
{
    double highest = 0;

    for (unsigned box = 0; box + 1 < HISTOGRAM_BOXES; box++)
        highest = fmax(highest, box_density(times, axis, box));
    if (highest <= 0)
        return;
    svg_chart_open_shape(file);
    for (unsigned box = 0; box + 1 < HISTOGRAM_BOXES; box++)
        svg_chart_put_column(file, axis, (struct interval){box_start(box), box_start(box + 1)},
                             box_density(times, axis, box) / highest);
    svg_chart_close_shape(file);
}

static void draw_times(FILE *file, const struct svg_chart *chart, const struct standing *row)
{
    const struct histogram *times = report_times(chart->report, row);

    svg_chart_put_rules(file, &chart->axis);
    if (times != NULL)
        put_times_shape(file, &chart->axis, times);
    svg_chart_put_mark(file, "mark", svg_axis_percent(&chart->axis, (double)row->median_us));
    svg_chart_put_mark(file, "mark dashed", svg_axis_percent(&chart->axis, (double)row->p99_us));
}

static void put_time_numbers(const struct report_page *page, const struct standing *row)
{
    fputs("<b>", page->file);
    report_page_put_time(page, row->median_us);
    fputs("</b> <span class=\"soft\">p99 ", page->file);
    report_page_put_time(page, row->p99_us);
    fputs("</span>", page->file);
}

static struct svg_axis time_axis(const struct report *report)
{
    struct interval range = {INFINITY, -INFINITY};

    for (unsigned place = 0; place < report->standings->count; place++) {
        const struct standing *row = &report->standings->rows[place];
        const struct histogram *times = report_times(report, row);

        if (row->matches == 0)
            continue;
        include(&range, (double)row->median_us);
        include(&range, (double)row->p99_us);
        for (unsigned box = 0; times != NULL && box + 1 < HISTOGRAM_BOXES; box++)
            if (times->counts[box] > 0) {
                include(&range, box_start(box));
                include(&range, box_start(box + 1));
            }
    }
    return svg_axis_logarithmic(range.low, range.high);
}

void report_page_put_charts(const struct report_page *page)
{
    const struct report *report = page->report;
    const struct svg_chart charts[] = {
        {"ratings", REPORT_TEXT_RATINGS, REPORT_TEXT_ABOUT_RATINGS, REPORT_TEXT_RATING_AND_RANKS,
         rating_axis(report->standings), draw_rating, put_rating_numbers, report, 1},
        {"scores", REPORT_TEXT_SCORES, REPORT_TEXT_ABOUT_SCORES, REPORT_TEXT_MEAN,
         score_axis(report->standings), draw_scores, put_score_numbers, report,
         highest_bin(report->standings)},
        {"times", REPORT_TEXT_TIMES, REPORT_TEXT_ABOUT_TIMES, REPORT_TEXT_MEDIAN, time_axis(report),
         draw_times, put_time_numbers, report, 1},
    };

    for (size_t i = 0; i < sizeof charts / sizeof charts[0]; i++)
        svg_chart_put(page, &charts[i]);
}
