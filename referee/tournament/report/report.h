#ifndef REFEREE_TOURNAMENT_REPORT_REPORT_H
#define REFEREE_TOURNAMENT_REPORT_REPORT_H

/* What is told about a tournament: as text for a terminal, as JSON and CSV for programs, and as
 * one HTML page that needs nothing else. All words in it may come from strangers and are escaped.
 *
 * The writers return nothing: whether all was written is seen by ferror() and fclose(). The same
 * report gives the same bytes, whatever the locale. */

#include "base/histogram.h"
#include "game/rules.h"
#include "tournament/stats/standings.h"

#include <stdint.h>
#include <stdio.h>

/* A match worth looking at. */
struct report_match {
    const char *bot; /* for whom it was the worst */
    const char *log; /* the path, as `referee replay` takes it */
    unsigned block;
    unsigned rotation;
    unsigned seats;
    const char *names[ALLEGRA_SEATS_MAX]; /* by seat, as what follows */
    double scores[ALLEGRA_SEATS_MAX];     /* a round */
    uint8_t places[ALLEGRA_SEATS_MAX];
    const char *fault;   /* the code of the first fault, or NULL */
    unsigned fault_seat; /* whose it was */
};

/* All of it is lent. */
struct report {
    const char *title;
    const char *subtitle; /* edition, format, clocks, containment in words, one line; or NULL */
    const char *state;    /* "finished", "running: 120 of 600 matches"; or NULL */
    const struct standings *standings;
    const struct histogram *times;    /* thinking times by number of bot, or NULL */
    const struct report_match *worst; /* in the order in which they are to be shown */
    unsigned worst_count;
    const char *const *facts;    /* label, value, label, value, …; NULL ends it; or NULL */
    const char *const *warnings; /* sentences; NULL ends it; or NULL */
};

/* Tables in lines of at most `columns` letters as far as that can be; 0: without a limit. */
void report_text(FILE *file, const struct report *report, unsigned columns);

/* One document:
 *   format "allegra standings", version 1, title, subtitle, state, facts [{label, value}],
 *   warnings [], blocks, matches, seats,
 *   bots, best rating first: [{
 *     place, bot (its number), name, is_withdrawn, matches, rounds,
 *     rating {value, low, high, is_unbeaten, groups}, score {mean, low, high}, win_share (0 to 1),
 *     places [how often first, second, …], seats [{matches, score}],
 *     faults {total, late, illegal, …},
 *     distribution {least, step, counts []} of the scores a round,
 *     time {median_us, p99_us, boxes [[microseconds, count]]}}],
 *   cross [[share of row before column]] and met [[common matches]], both in the order of `bots`,
 *   worst [{bot, log, command, block, rotation, fault, fault_seat, seats [{name, score, place}]}]
 * What is unknown is null. All that differs between two runs of the same matches is in `time`. New
 * fields may come; those that are there stay what they are. */
void report_json(FILE *file, const struct report *report);

/* CSV as RFC 4180 has it, UTF-8, with a line of headings. A row a bot:
 *   place, bot, name, is_withdrawn (0 or 1), matches, rounds, rating, rating_low, rating_high,
 *   is_unbeaten, groups, score, score_low, score_high, win_share, place_1 … place_N,
 *   seat_0_matches, seat_0_score …, faults, late, illegal, … (all causes), median_us, p99_us
 * for tables of N seats. What is unknown is empty. Words that a spreadsheet would take for a
 * formula (beginning with = + - @, a tab or a line end) have an apostrophe before them. */
void report_csv(FILE *file, const struct report *report);

/* The cross table as CSV, a row a pair that met: row, column (places), row_name, column_name,
 * matches, share (in which the first was placed before the second; a shared place counts half). */
void report_csv_cross(FILE *file, const struct report *report);

/* One page without scripts and without anything from elsewhere; well-formed as XML too. */
void report_html(FILE *file, const struct report *report);

#endif
