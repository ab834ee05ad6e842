#ifndef REFEREE_TOURNAMENT_REPORT_REPORT_H
#define REFEREE_TOURNAMENT_REPORT_REPORT_H

/* The report of a tournament: as text for a terminal, as JSON and CSV for programs, and as one HTML
 * page that needs nothing else. All texts in it may come from strangers and are escaped. The page
 * has five languages; the others are English.
 *
 * The writers return nothing: ferror() and fclose() show whether everything was written. The same
 * report gives the same bytes, whatever the locale. */

#include "base/histogram.h"
#include "game/allegra.h"
#include "tournament/report/report_language.h"
#include "tournament/stats/standings.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A setting of the tournament that the page shows. */
enum report_fact {
    REPORT_FACT_FORMAT,
    REPORT_FACT_HERO,
    REPORT_FACT_SEATS,
    REPORT_FACT_SEATINGS,
    REPORT_FACT_DEALS,
    REPORT_FACT_ROUNDS,
    REPORT_FACT_SCHEDULE_SEED,
    REPORT_FACT_CLOCK,
    REPORT_FACT_START,
    REPORT_FACT_MOVE,
    REPORT_FACT_BANK,
    REPORT_FACT_SANDBOX,
    REPORT_FACT_REUSE,
    REPORT_FACT_FAULTS,
    REPORT_FACT_VARIANT,
    REPORT_FACT_RULES,
    REPORT_FACT_REFEREE,
    REPORT_FACT_COUNT,
};

/* A match worth looking at. */
struct report_match {
    const char *bot; /* whose worst match it is */
    unsigned seat;   /* that this bot had */
    const char *log; /* the path, as `referee replay` takes it */
    unsigned block;
    unsigned rotation;
    unsigned seats;
    const char *names[ALLEGRA_SEATS_MAX]; /* by seat, as those that follow */
    double scores[ALLEGRA_SEATS_MAX];     /* per round */
    uint8_t places[ALLEGRA_SEATS_MAX];
    const char *faults[ALLEGRA_SEATS_MAX]; /* the code of the seat's own fault, or NULL */
    double gain; /* of the bot's choices, in points; 0 unless it is evidence */
};

/* All of it is lent. */
struct report {
    const char *title;
    const char *format; /* as the config names it */
    const char *edition;
    unsigned seats;
    unsigned long decided; /* matches */
    unsigned long planned;
    const struct standings *standings;
    const struct histogram *times;    /* thinking times by number of bot, or NULL */
    const struct report_match *worst; /* in the order in which they are shown */
    unsigned worst_count;
    const struct report_match *evidence; /* of bots that may know the cards: see peek.h */
    unsigned evidence_count;
    const char *facts[REPORT_FACT_COUNT]; /* NULL: not shown */
    bool has_known_seed;                  /* somebody chose the seed of the deals */
    bool is_in_store; /* it is read in the folder of the store, where the paths of logs start */
};

/* Tables in lines of at most `columns` characters as far as possible; 0: without a limit. */
void report_text(FILE *file, const struct report *report, unsigned columns);

/* One document:
 *   format "allegra standings", version 1, title, subtitle, state, facts [{label, value}],
 *   warnings [], blocks, matches, seats,
 *   bots, best rating first: [{
 *     place, bot (its number), name, is_withdrawn, matches, rounds,
 *     rating {value, low, high, is_unbeaten}, ranks {best, worst}: see rank_range.h,
 *     score {mean, low, high}, win_share (0 to 1),
 *     adjusted {mean, low, high, win_share}: without luck, see standings.h,
 *     places [how often first, second, …], seats [{matches, score}],
 *     peek {matches, gain, spread, allowed, one_in, is_suspicious}: see peek.h,
 *     repeat {blocks, first, later, p, is_suspicious}: see repeat_gain.h,
 *     faults {total, late, illegal, …},
 *     distribution {least, step, counts []} of the scores per round,
 *     time {median_us, p99_us, boxes [[microseconds, count]]}}],
 *   cross [[share of row before column]] and met [[common matches]], both in the order of `bots`,
 *   worst [{bot, seat, log, command, block, rotation, seats [{name, score, place, fault}]}],
 *   evidence [the same, and gain: the matches that speak most against bots with a suspicious peek]
 * Unknown values are null. Everything that differs between two runs of the same matches is in
 * `time`. */
void report_json(FILE *file, const struct report *report);

/* CSV according to RFC 4180, UTF-8, with a line of headings. A row per bot:
 *   place, bot, name, is_withdrawn (0 or 1), matches, rounds, rating, rating_low, rating_high,
 *   is_unbeaten, rank_best, rank_worst, score, score_low, score_high, win_share, adjusted,
 *   adjusted_low, adjusted_high, adjusted_win_share, place_1 … place_N, seat_0_matches,
 *   seat_0_score …, peek_gain, peek_allowed, peek_one_in, repeat_blocks, repeat_first,
 *   repeat_later, repeat_p, is_suspicious (by any test), faults, late, illegal, … (all causes),
 *   median_us, p99_us
 * for tables of N seats. Unknown values are empty. A text that a spreadsheet would take for a
 * formula (starting with = + - @, a tab or a line end) has an apostrophe before it. */
void report_csv(FILE *file, const struct report *report);

/* The cross table as CSV, a row per pair that met: row, column (places), row_name, column_name,
 * matches, share (in which the first was placed before the second; a shared place counts half). */
void report_csv_cross(FILE *file, const struct report *report);

/* One page without scripts or external resources; also well-formed XML. With REPORT_LANGUAGE_ALL it
 * has all languages and opens in English, or in another one if its address ends in `#de`, `#nl`,
 * `#fr` or `#es`; the reader can change it. */
void report_html(FILE *file, const struct report *report, enum report_language language);

#endif
