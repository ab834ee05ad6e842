#ifndef REFEREE_MATCH_REVIEW_H
#define REFEREE_MATCH_REVIEW_H

/* A logged match, reviewed: what each decision cost against the best answer, what each card was
 * worth as luck, and what every seat could expect at each moment. All of it is judged from what the
 * seats knew: cards that nobody had seen do not count. */

#include "match/replay.h"
#include "value/judge.h"
#include "value/luck.h"
#include "value/value.h"

/* The best answers of a question that are kept. */
#define REVIEW_TOP 3

/* A cost is sure if it is above 0 by so many standard errors, and not next to nothing. */
#define REVIEW_DOUBT 2.0
#define REVIEW_LEAST_POINTS 0.5

/* One decision of the log. */
struct review_step {
    unsigned long number;
    unsigned round, turn;
    struct value before;    /* what the seats could expect before it */
    struct luck_event luck; /* of the card that it turned up; LUCK_NONE: none */
    int card;               /* that card; ALLEGRA_CARD_NONE if there is none, or several */
};

/* Why an answer is judged, or not. */
enum review_kind {
    REVIEW_CHOICE,    /* judged */
    REVIEW_FORCED,    /* only one answer was legal */
    REVIEW_AUTOPILOT, /* given by the referee for a dismissed bot */
    REVIEW_GIVEN,     /* taken from the log that this one branches off */
    REVIEW_KINDS,
};

/* One answer of the log: a decision has one, or a bid of each seat that was asked. */
struct review_answer {
    unsigned long number;
    unsigned seat;
    enum review_kind kind;
    struct allegra_answer played;
    struct allegra_table table; /* that was asked */
    /* The rest is only there after review_judge(), and only of a REVIEW_CHOICE. */
    unsigned top_count;
    struct judged top[REVIEW_TOP]; /* the best answers, the best first */
    bool is_best;                  /* nothing better was found */
    struct judge_pair screened;    /* `played` against top[0], on cut deals, */
    struct judge_pair confirmed;   /* and on whole ones, where that was worthwhile */
};

struct review {
    unsigned seats;
    unsigned rounds; /* that began */
    bool is_over;    /* the log has the end of the match */
    struct review_step *steps;
    size_t step_count;
    struct luck_event deal; /* of the first round */
    struct value end;       /* what the seats could expect after the last decision */
    struct review_answer *answers;
    size_t answer_count;
    struct luck luck;
    double totals[ALLEGRA_SEATS_MAX]; /* points at the end of the log */
};

/* Plays the rest of the log, and measures luck and chances. Returns NULL with one sentence in
 * `problem` if the log is wrong. Names and rules stay with the replay. */
struct review *review_walk(struct replay *replay, struct text *problem);
void review_free(struct review *review);

/* How much is done to confirm suspicious decisions. */
struct review_setup {
    uint64_t seed;
    unsigned samples;    /* whole deals for each; 0: as many as the time allows */
    int64_t deadline_us; /* by clock_now_us(), if `samples` is 0 */
};

/* Judges the decisions of a seat in one round (from 1): first all of them on cut deals, then the
 * suspicious ones on whole deals. */
void review_judge(struct review *review, unsigned seat, unsigned round,
                  const struct review_setup *setup);

/* What an answer cost against the best one that was found; zeroes if it was the best. */
struct judge_cost review_cost(const struct review_answer *answer);

/* Whether it surely cost something. */
bool review_is_blunder(const struct review_answer *answer);

/* Whether it looks costly, but there was no time to confirm that. */
bool review_is_unconfirmed(const struct review_answer *answer);

/* What the decisions of a seat cost per round. */
struct judge_cost review_rate(const struct review *review, unsigned seat);

/* Finds the worst decisions of a seat, or of all seats if it is ALLEGRA_SEAT_NONE: those that
 * surely cost most come first. Returns how many there are, at most `most`. */
unsigned review_find_worst(const struct review *review, unsigned seat,
                           const struct review_answer **worst, unsigned most);

#endif
