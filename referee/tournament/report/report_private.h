#ifndef REFEREE_TOURNAMENT_REPORT_REPORT_PRIVATE_H
#define REFEREE_TOURNAMENT_REPORT_REPORT_PRIVATE_H

/* What the writers of reports share. */

#include "tournament/report/report.h"

#include <stdbool.h>

/* Half of the width of an interval. */
double report_margin(struct interval interval);

/* How often all bots together were at fault in that way. */
unsigned report_fault_sum(const struct standings *standings, enum bot_outcome outcome);

/* The command that replays a match, quoted for a shell. Free it. */
char *report_command(const struct report_match *match);

/* The thinking times of a bot; NULL if they are not known. */
const struct histogram *report_times(const struct report *report, const struct standing *row);

/* The parts of the page. */
void report_html_tables(FILE *file, const struct report *report);
void report_html_charts(FILE *file, const struct report *report);
void report_html_cross(FILE *file, const struct report *report);

/* Opens and closes an area with a label for a wide table, which scrolls by itself on a small
 * screen. */
void report_html_open_scroll(FILE *file, const char *label);
void report_html_close_scroll(FILE *file);

/* The style sheet of the page in pieces; NULL ends it. */
extern const char *const report_style[];

#endif
