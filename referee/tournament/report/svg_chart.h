#ifndef REFEREE_TOURNAMENT_REPORT_SVG_CHART_H
#define REFEREE_TOURNAMENT_REPORT_SVG_CHART_H

/* Charts of a page with a row per bot, drawn as inline SVG. */

#include "tournament/report/report_private.h"
#include "tournament/report/svg_axis.h"

/* One chart: its texts, and how a row is drawn. */
struct svg_chart {
    const char *name; /* of its section */
    enum report_text title;
    enum report_text about; /* how to read it */
    enum report_text number_heading;
    struct svg_axis axis;
    /* Writes the contents of the row's drawing, which the cells beside it label. */
    void (*draw)(FILE *file, const struct svg_chart *chart, const struct standing *row);
    void (*put_numbers)(const struct report_page *page, const struct standing *row);
    const struct report *report;
    double height; /* of the highest column of all rows, if they share a scale */
};

/* The chart as a section of the page, with a row per bot that has played. */
void svg_chart_put(const struct report_page *page, const struct svg_chart *chart);

/* Parts of drawings. The lines of the axis. */
void svg_chart_put_rules(FILE *file, const struct svg_axis *axis);

/* A line over an interval with a cap at each end that lies within the chart; nothing for NaN. */
void svg_chart_put_whisker(FILE *file, const struct svg_axis *axis, struct interval interval);

/* A line from top to bottom; `kind` is its class. */
void svg_chart_put_mark(FILE *file, const char *kind, double percent);

/* A filled shape of columns: between the two calls, each column with its sides and a height from 0
 * to 1. */
void svg_chart_open_shape(FILE *file);
void svg_chart_put_column(FILE *file, const struct svg_axis *axis, struct interval sides,
                          double height);
void svg_chart_close_shape(FILE *file);

#endif
