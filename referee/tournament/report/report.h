#ifndef REFEREE_TOURNAMENT_REPORT_REPORT_H
#define REFEREE_TOURNAMENT_REPORT_REPORT_H

/* The report of a tournament: as text for a terminal, as JSON and CSV for programs, and as one HTML
 * page that needs nothing else. All texts in it may come from strangers and are escaped.
 *
 * The writers return nothing: ferror() and fclose() show whether everything was written. The same
 * report gives the same bytes, whatever the locale. */

#include "base/histogram.h"
#include "game/allegra.h"
#include "tournament/stats/standings.h"

#include <stdint.h>
#include <stdio.h>

/* A match worth looking at. */
struct report_match {
    const char *bot; /* whose worst match it is */
    const char *log; /* the path, as `referee replay` takes it */
    unsigned block;
    unsigned rotation;
    unsigned seats;
    const char *names[ALLEGRA_SEATS_MAX]; /* by seat, as those that follow */
    double scores[ALLEGRA_SEATS_MAX];     /* per round */
    uint8_t places[ALLEGRA_SEATS_MAX];
    const char *fault;   /* the code of the first fault, or NULL */
    unsigned fault_seat; /* whose it was */
};

/* All of it is lent. */
struct report {
    const char *title;
    const char *subtitle; /* edition, format and so on, one line; or NULL */
    const char *state;    /* "finished", "running: 120 of 600 matches"; or NULL */
    const struct standings *standings;
    const struct histogram *times;    /* thinking times by number of bot, or NULL */
    const struct report_match *worst; /* in the order in which they are shown */
    unsigned worst_count;
    const char *const *facts;    /* label, value, label, value, …; NULL ends it; or NULL */
    const char *const *warnings; /* sentences; NULL ends it; or NULL */
};

/* Tables in lines of at most `columns` characters as far as possible; 0: without a limit. */
void report_text(FILE *file, const struct report *report, unsigned columns);

/* One document:
 *   format "allegra standings", version 1, title, subtitle, state, facts [{label, value}],
 *   warnings [], blocks, matches, seats,
 *   bots, best rating first: [{
 *     place, bot (its number), name, is_withdrawn, matches, rounds,
 *     rating {value, low, high, is_unbeaten, groups}, score {mean, low, high}, win_share (0 to 1),
 *     places [how often first, second, …], seats [{matches, score}],
 *     repeat {blocks, first, later, p, is_suspicious}: see repeat_gain.h,
 *     faults {total, late, illegal, …},
 *     distribution {least, step, counts []} of the scores per round,
 *     time {median_us, p99_us, boxes [[microseconds, count]]}}],
 *   cross [[share of row before column]] and met [[common matches]], both in the order of `bots`,
 *   worst [{bot, log, command, block, rotation, fault, fault_seat, seats [{name, score, place}]}]
 * Unknown values are null. Everything that differs between two runs of the same matches is in
 * `time`. */
void report_json(FILE *file, const struct report *report);

/* CSV according to RFC 4180, UTF-8, with a line of headings. A row per bot:
 *   place, bot, name, is_withdrawn (0 or 1), matches, rounds, rating, rating_low, rating_high,
 *   is_unbeaten, groups, score, score_low, score_high, win_share, place_1 … place_N,
 *   seat_0_matches, seat_0_score …, repeat_blocks, repeat_first, repeat_later, repeat_p,
 *   is_suspicious, faults, late, illegal, … (all causes), median_us, p99_us
 * for tables of N seats. Unknown values are empty. A text that a spreadsheet would take for a
 * formula (starting with = + - @, a tab or a line end) has an apostrophe before it. */
void report_csv(FILE *file, const struct report *report);

/* The cross table as CSV, a row per pair that met: row, column (places), row_name, column_name,
 * matches, share (in which the first was placed before the second; a shared place counts half). */
void report_csv_cross(FILE *file, const struct report *report);

/* One page without scripts or external resources; also well-formed XML. */
void report_html(FILE *file, const struct report *report);

#endif
