#ifndef TESTS_SUPPORT_FAKE_HOST_H
#define TESTS_SUPPORT_FAKE_HOST_H

/* A match without processes: whatever it tells, asks and logs is kept, and answers are given as lines
 * of text, or as faults. */

#include "game/dice.h"
#include "match/match.h"
#include "match/answer_check.h"

#include <stddef.h>

#define FAKE_BYTES_MAX (1 << 20)

struct fake_seat {
    char *told; /* all bytes, with a NUL behind them */
    size_t told_length;
    size_t burst; /* where the bytes since the question before begin */
    bool is_asked;
    int64_t limit_us;
    bool is_dismissed;
    struct answer_check reply;
};

struct fake_host {
    struct match *match;
    struct fake_seat seats[ALLEGRA_SEATS_MAX];
    unsigned count;
    char *log;
    size_t log_length;
};

/* A match of `count` seats by the words "EDITION key=value ..."; nobody has said hello yet. */
struct fake_host *fake_host_new(const char *rules, unsigned count, const char *seed, long bank_ms);
void fake_host_free(struct fake_host *host);

/* Everybody says `hello`, in seat order. */
void fake_host_hello(struct fake_host *host, const char *hello);

/* A seat sends a line. Returns what became of it; an accepted answer or a fault ends its question. */
enum bot_outcome fake_host_line(struct fake_host *host, unsigned seat, const char *line,
                                int64_t charged_us);

/* The question of a seat ends with a fault that came from its process. */
void fake_host_fault(struct fake_host *host, unsigned seat, enum bot_outcome outcome);

/* A legal answer, chosen by the dice. */
void fake_host_answer(struct fake_host *host, unsigned seat, struct allegra_dice *dice);

/* Answers everything until the match is over or somebody is asked `until` (ALLEGRA_QUESTION_NONE: over). */
void fake_host_play(struct fake_host *host, struct allegra_dice *dice, enum allegra_question until);

/* The seats that are asked now, as a mask. */
unsigned fake_host_asked(const struct fake_host *host);

/* The first line since the last question but one of that seat that begins with `word`, or NULL. */
const char *fake_host_find(const struct fake_host *host, unsigned seat, const char *word);

#endif
