#ifndef REFEREE_TOURNAMENT_REPORT_REPORT_TEXTS_H
#define REFEREE_TOURNAMENT_REPORT_REPORT_TEXTS_H

/* All texts of the page, in all its languages, in the terms of the printed rules where they have
 * one. Some are also in the other reports, there in English. */

#include "tournament/report/report.h"
#include "tournament/report/report_language.h"

enum report_text {
    /* The head of the page. */
    REPORT_TEXT_LANGUAGE,
    REPORT_TEXT_PARTS,
    REPORT_TEXT_SUBTITLE,
    REPORT_TEXT_FINISHED,
    REPORT_TEXT_NOT_FINISHED,
    REPORT_TEXT_COUNTS,
    REPORT_TEXT_WARNINGS,
    REPORT_TEXT_WARNING,
    REPORT_TEXT_SEED_IS_KNOWN,
    REPORT_TEXT_KNOWS_CARDS,
    REPORT_TEXT_KNOWS_DEALS,
    /* Titles of parts. */
    REPORT_TEXT_STANDINGS,
    REPORT_TEXT_RATINGS,
    REPORT_TEXT_SCORES,
    REPORT_TEXT_TIMES,
    REPORT_TEXT_CROSS,
    REPORT_TEXT_SEATS,
    REPORT_TEXT_CARDS,
    REPORT_TEXT_CHOICES,
    REPORT_TEXT_REPEATS,
    REPORT_TEXT_FAULTS,
    REPORT_TEXT_WORST,
    REPORT_TEXT_FACTS,
    /* How to read them. */
    REPORT_TEXT_ABOUT_STANDINGS,
    REPORT_TEXT_ABOUT_LUCK,
    REPORT_TEXT_ABOUT_RATINGS,
    REPORT_TEXT_ABOUT_SCORES,
    REPORT_TEXT_ABOUT_TIMES,
    REPORT_TEXT_ABOUT_CROSS,
    REPORT_TEXT_CROSS_IS_CUT,
    REPORT_TEXT_CROSS_AS_TABLE,
    REPORT_TEXT_CROSS_CAPTION,
    REPORT_TEXT_ABOUT_SEATS,
    REPORT_TEXT_ABOUT_CHOICES,
    REPORT_TEXT_ABOUT_EVIDENCE,
    REPORT_TEXT_ABOUT_REPEATS,
    REPORT_TEXT_ABOUT_FAULTS,
    REPORT_TEXT_FAULTS_CAPTION,
    REPORT_TEXT_ABOUT_WORST,
    REPORT_TEXT_ABOUT_PATHS,
    REPORT_TEXT_NO_MATCH,
    REPORT_TEXT_NO_FAULT,
    /* Headings and cells of tables. */
    REPORT_TEXT_BOT,
    REPORT_TEXT_RATING,
    REPORT_TEXT_INTERVAL,
    REPORT_TEXT_RANKS,
    REPORT_TEXT_POINTS,
    REPORT_TEXT_ADJUSTED,
    REPORT_TEXT_WINS,
    REPORT_TEXT_MATCHES,
    REPORT_TEXT_MEDIAN,
    REPORT_TEXT_MEAN,
    REPORT_TEXT_RATING_AND_RANKS,
    REPORT_TEXT_DRAWING,
    REPORT_TEXT_SEAT,
    REPORT_TEXT_PLACE,
    REPORT_TEXT_FIRST,
    REPORT_TEXT_LATER,
    REPORT_TEXT_GAIN,
    REPORT_TEXT_LUCK,
    REPORT_TEXT_ALLOWED,
    REPORT_TEXT_ONE_IN,
    REPORT_TEXT_LUCK_IN_MATCH,
    REPORT_TEXT_ALL_CAUSES,
    REPORT_TEXT_WITHDRAWN,
    REPORT_TEXT_NO_BOUND,
    REPORT_TEXT_ABOUT_NO_BOUND,
    REPORT_TEXT_SUSPICIOUS,
    REPORT_TEXT_RANGE,
    REPORT_TEXT_PERCENT,
    REPORT_TEXT_IN_MATCHES,
    REPORT_TEXT_POINTS_AND_PLACE,
    REPORT_TEXT_DEAL,
    /* Labels of facts: REPORT_TEXT_FACT + enum report_fact. */
    REPORT_TEXT_FACT,
    REPORT_TEXT_COUNT = REPORT_TEXT_FACT + REPORT_FACT_COUNT,
};

/* The text as it is, with a blank `{0}`, `{1}`, … for each value. It contains no `<` or `&`. */
const char *report_texts_find(enum report_language language, enum report_text text);

/* The text with `values` in its blanks; NULL if it has none. Free it. */
char *report_texts_fill(enum report_language language, enum report_text text,
                        const char *const *values);

#endif
