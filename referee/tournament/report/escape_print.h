#ifndef REFEREE_TOURNAMENT_REPORT_ESCAPE_PRINT_H
#define REFEREE_TOURNAMENT_REPORT_ESCAPE_PRINT_H

/* printf for reports. The format is our literal and is written as it is; the text of a %s may come
 * from anybody and is escaped. So nothing can be written unescaped by mistake.
 *
 * It knows %s, %u, %lu, %d, %ld, %.Nf and %%, all without width. Numbers do not depend on the
 * locale. A number that is not finite is shown as a dash. */

#include <stdint.h>
#include <stdio.h>

/* For a terminal: %s becomes one line of visible text. Characters beyond ASCII stay; control
 * characters, bytes that are not UTF-8 and characters that change the direction of writing are
 * shown as \xNN or \u{NNNN}. */
void escape_print_plain(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* For HTML, in the text of elements and in quoted attributes: the same, and `& < > " '` as
 * entities. */
void escape_print_html(FILE *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One field of CSV from anybody's text: the same as for a terminal, but line ends and tabs stay.
 * Quoted if necessary. A field that a spreadsheet would take for a formula (it starts with = + - @,
 * a tab or a line end) gets an apostrophe before it. */
void escape_print_csv_text(FILE *file, const char *text);

/* One number of CSV; nothing if it is not finite. */
void escape_print_csv_number(FILE *file, double value, unsigned digits);

#define ESCAPE_PRINT_TIME_MAX 24

/* A duration in at most three digits and its unit: "640us", "1.2ms", "35ms", "2.5s" for a terminal,
 * "640 µs", "1.2 ms" for a page. Use it within the expression that calls it:
 * escape_print_time(us).text. */
struct escape_print_time {
    char text[ESCAPE_PRINT_TIME_MAX];
};

struct escape_print_time escape_print_time(int64_t value_us);
struct escape_print_time escape_print_time_html(int64_t value_us);

#endif
