#ifndef TESTS_SUPPORT_FAKE_HOST_H
#define TESTS_SUPPORT_FAKE_HOST_H

/* A match without processes: it keeps everything that the match tells, asks and logs. The test
 * answers with lines of text or faults. */

#include "game/allegra.h"
#include "match/match.h"

#include <stddef.h>

#define FAKE_BYTES_MAX (1 << 20)

struct fake_seat {
    char *told; /* all bytes, NUL-terminated */
    size_t told_length;
    size_t burst; /* offset of the bytes since the previous question */
    bool is_asked;
    int64_t limit_us;
    bool is_dismissed;
};

struct fake_host {
    struct match *match;
    struct fake_seat seats[ALLEGRA_SEATS_MAX];
    unsigned count;
    char *log;
    size_t log_length;
};

/* Creates a match of `count` seats. `rules` is "EDITION key=value ...". No seat has said hello yet.
 * */
struct fake_host *fake_host_new(const char *rules, unsigned count, const char *seed, long bank_ms);
void fake_host_free(struct fake_host *host);

/* The same for a match that measures luck, without a bank. */
struct fake_host *fake_host_new_measured(const char *rules, unsigned count, const char *seed);

/* All seats say `hello`, in seat order. */
void fake_host_hello(struct fake_host *host, const char *hello);

/* A seat sends a line. Returns its outcome; an accepted answer or a fault ends the question. */
enum bot_outcome fake_host_line(struct fake_host *host, unsigned seat, const char *line,
                                int64_t charged_us);

/* Ends the question of a seat with a fault of its process. */
void fake_host_fault(struct fake_host *host, unsigned seat, enum bot_outcome outcome);

/* Gives a random legal answer. */
void fake_host_answer(struct fake_host *host, unsigned seat, struct allegra_dice *dice);

/* Answers all questions until the match is over or a seat is asked `until` (ALLEGRA_QUESTION_NONE:
 * to the end). */
void fake_host_play(struct fake_host *host, struct allegra_dice *dice, enum allegra_question until);

/* The seats with an open question, as a mask. */
unsigned fake_host_asked(const struct fake_host *host);

/* The first line that starts with `word`, among those told to a seat since its previous question,
 * or NULL. */
const char *fake_host_find(const struct fake_host *host, unsigned seat, const char *word);

#endif
