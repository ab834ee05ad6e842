#ifndef TESTS_SUPPORT_REPORT_SAMPLE_H
#define TESTS_SUPPORT_REPORT_SAMPLE_H

/* Sample reports, made without a tournament. */

#include "tournament/report/report.h"

enum report_sample_kind {
    REPORT_SAMPLE_PLAIN,
    REPORT_SAMPLE_HOSTILE, /* every text in it is an attack on one of the writers */
    REPORT_SAMPLE_STRANGE, /* long names, NaN and infinity, bots that never met */
    REPORT_SAMPLE_EMPTY,   /* no match yet */
    REPORT_SAMPLE_KIND_COUNT,
};

/* "plain", "hostile", … */
const char *report_sample_name(enum report_sample_kind kind);

/* The texts of a hostile report; NULL-terminated. */
extern const char *const report_sample_attacks[];

/* The caller frees the report with report_sample_free(). */
struct report *report_sample_new(enum report_sample_kind kind, unsigned bots);
void report_sample_free(struct report *report);

#endif
