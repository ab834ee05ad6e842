#ifndef REFEREE_TOURNAMENT_REPORT_REPORT_LANGUAGE_H
#define REFEREE_TOURNAMENT_REPORT_REPORT_LANGUAGE_H

/* The languages of the page, and how they write numbers. Everything else that the referee prints
 * is English. */

#include "tournament/stats/rank_range.h"

#include <stdint.h>

enum report_language {
    REPORT_ENGLISH,
    REPORT_GERMAN,
    REPORT_DUTCH,
    REPORT_FRENCH,
    REPORT_SPANISH,
    REPORT_LANGUAGE_COUNT,
    REPORT_LANGUAGE_ALL = REPORT_LANGUAGE_COUNT, /* all in one page; the reader chooses */
};

/* "en", "de", …: as HTML writes them. */
const char *report_language_code(enum report_language language);

/* What it calls itself: "Deutsch". */
const char *report_language_name(enum report_language language);

/* The language with that code, or REPORT_LANGUAGE_COUNT. */
enum report_language report_language_find(const char *code);

#define REPORT_NUMBER_MAX 48

/* Use it within the expression that calls a function below: report_language_decimal(…).text. */
struct report_number {
    char text[REPORT_NUMBER_MAX];
};

/* A number with so many digits after the decimal point or comma, not grouped; a dash if it is not
 * finite. */
struct report_number report_language_decimal(enum report_language language, double value,
                                             unsigned digits);

/* The same with a plus sign if it is greater than 0 after rounding. */
struct report_number report_language_signed(enum report_language language, double value);

/* A number of things, its digits grouped by thousands. */
struct report_number report_language_count(enum report_language language, unsigned long count);

/* A range of ranks as ordinal numbers: "4th to 9th", or "4th" if there is only one; empty if the
 * bot has no ranks. */
struct report_number report_language_ranks(enum report_language language, struct rank_range ranks);

/* A duration in at most three digits and its unit: "640 µs", "1.2 ms". */
struct report_number report_language_time(enum report_language language, int64_t value_us);

#endif
