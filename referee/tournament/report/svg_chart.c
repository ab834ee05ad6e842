/* Charts with a row per bot are tables: the name, a small drawing, the numbers. A drawing is as
 * wide as its cell, with all horizontal positions in percent, so that it fits any screen without
 * making text and lines smaller. The lines of the axis run through all rows. Shapes are drawn in a
 * box of 1000 by 100 that is stretched over the row. */

#include "tournament/report/svg_chart.h"

#include "tournament/report/escape_print.h"

#include <math.h>

#define ROW_HEIGHT 30
#define LONG_CHART 12

void svg_chart_put_rules(FILE *file, const struct svg_axis *axis)
{
    for (unsigned tick = 0; tick < axis->ticks; tick++) {
        double value = svg_axis_tick(axis, tick);
        double percent = svg_axis_percent(axis, value);
        bool is_zero = !axis->is_logarithmic && fabs(value) < axis->step / 2;

        escape_print_html(file, "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y2=\"100%%\"/>",
                          is_zero ? "zero" : "rule", percent, percent);
    }
}

/* A power of ten in its unit. */
static void put_time_tick(FILE *file, double value_us)
{
    if (value_us < 999)
        escape_print_html(file, "%.0f \xc2\xb5s", value_us);
    else if (value_us < 999e3)
        escape_print_html(file, "%.0f ms", value_us / 1e3);
    else
        escape_print_html(file, "%.0f s", value_us / 1e6);
}

static void put_tick(const struct report_page *page, const struct svg_axis *axis, double value)
{
    escape_print_html(page->file, "<text x=\"%.2f%%\" y=\"14\">", svg_axis_percent(axis, value));
    if (axis->is_logarithmic)
        put_time_tick(page->file, value);
    else
        report_page_draw_decimal(page, value,
                                 svg_axis_digits(axis) <= 1 ? svg_axis_digits(axis) : 3);
    fputs("</text>", page->file);
}

static void put_axis(const struct report_page *page, const struct svg_axis *axis)
{
    fputs("<tr class=\"axis\" aria-hidden=\"true\"><td></td><td class=\"plot\">"
          "<svg width=\"100%\" height=\"20\">",
          page->file);
    for (unsigned tick = 0; tick < axis->ticks; tick++)
        put_tick(page, axis, svg_axis_tick(axis, tick));
    fputs("</svg></td><td></td></tr>\n", page->file);
}

static void put_row(const struct report_page *page, const struct svg_chart *chart, unsigned place)
{
    const struct standing *row = &page->report->standings->rows[place];

    if (row->matches == 0)
        return;
    escape_print_html(page->file, "<tr><th scope=\"row\" id=\"%s-bot-%u\">", chart->name,
                      place + 1);
    escape_print_html(page->file, "<span class=\"place\">%u</span> <bdi>%s</bdi></th>", place + 1,
                      row->name);
    escape_print_html(page->file,
                      "<td class=\"plot\"><svg width=\"100%%\" height=\"%d\" role=\"img\" "
                      "aria-labelledby=\"%s-bot-%u %s-of-%u\">",
                      ROW_HEIGHT, chart->name, place + 1, chart->name, place + 1);
    chart->draw(page->file, chart, row);
    escape_print_html(page->file, "</svg></td><td class=\"numbers\" id=\"%s-of-%u\">", chart->name,
                      place + 1);
    chart->put_numbers(page, row);
    fputs("</td></tr>\n", page->file);
}

static void put_head(const struct report_page *page, const struct svg_chart *chart)
{
    report_page_open_section(page, chart->name, chart->title);
    report_page_put_paragraph(page, chart->about);
    fputs("<table class=\"chart\">\n<caption>", page->file);
    report_page_put_text(page, chart->title, NULL);
    fputs("</caption>\n<thead><tr>", page->file);
    report_page_put_heading(page, REPORT_TEXT_BOT, NULL);
    report_page_put_heading(page, REPORT_TEXT_DRAWING, NULL);
    report_page_put_heading(page, chart->number_heading, NULL);
    fputs("</tr></thead>\n<tbody>\n", page->file);
}

void svg_chart_put(const struct report_page *page, const struct svg_chart *chart)
{
    unsigned count = page->report->standings->count;

    put_head(page, chart);
    if (count > LONG_CHART)
        put_axis(page, &chart->axis);
    for (unsigned place = 0; place < count; place++)
        put_row(page, chart, place);
    put_axis(page, &chart->axis);
    fputs("</tbody>\n</table>\n", page->file);
    report_page_close_section(page);
}

void svg_chart_put_whisker(FILE *file, const struct svg_axis *axis, struct interval interval)
{
    double ends[] = {interval.low, interval.high};

    if (isnan(interval.low) || isnan(interval.high))
        return;
    escape_print_html(
        file, "<line class=\"whisker\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"50%%\" y2=\"50%%\"/>",
        svg_axis_percent(axis, interval.low), svg_axis_percent(axis, interval.high));
    for (size_t i = 0; i < 2; i++)
        if (ends[i] >= axis->least && ends[i] <= axis->most)
            escape_print_html(
                file, "<line class=\"whisker\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"10\" y2=\"20\"/>",
                svg_axis_percent(axis, ends[i]), svg_axis_percent(axis, ends[i]));
}

void svg_chart_open_shape(FILE *file)
{
    fputs("<svg width=\"100%\" height=\"100%\" viewBox=\"0 0 1000 100\" "
          "preserveAspectRatio=\"none\"><path class=\"shape\" d=\"M0 100",
          file);
}

void svg_chart_close_shape(FILE *file)
{
    fputs("V100Z\"/></svg>", file);
}

void svg_chart_put_column(FILE *file, const struct svg_axis *axis, struct interval sides,
                          double height)
{
    if (height <= 0)
        return;
    escape_print_html(file, "M%.1f 100V%.1fH%.1fV100", 10 * svg_axis_percent(axis, sides.low),
                      100 - 94 * height, 10 * svg_axis_percent(axis, sides.high));
}

void svg_chart_put_mark(FILE *file, const char *kind, double percent)
{
    escape_print_html(file,
                      "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"2\" y2=\"100%%\"/>",
                      kind, percent, percent);
}
