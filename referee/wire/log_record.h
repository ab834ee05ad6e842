#ifndef REFEREE_WIRE_RECORD_H
#define REFEREE_WIRE_RECORD_H

/* The records of a log, one JSON document on one line each; protocol.md describes them field by
 * field. A record writer gives back the bytes of one record, without a line end. */

#include "game/event.h"
#include "game/rules.h"
#include "wire/line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_VERSION 1
#define RECORD_HASH_HEX 65 /* 32 bytes in hexadecimal, and a NUL */

struct record_writer;

struct record_writer *record_writer_new(void);
void record_writer_free(struct record_writer *writer);

/* Who sits where. Everything is lent. */
struct record_bot {
    const char *name; /* as the organiser calls it: what the tables show */
    const char *command;
    const char *hash;  /* of its files, in hexadecimal, or "" */
    const char *hello; /* its name by its own hello; "" if it never came so far */
    struct line_wishes wishes;
    bool is_kept;          /* its process played other matches before */
    uint64_t asked_before; /* of a kept one: how many questions it was asked in them */
};

/* What the log begins with. */
struct record_header {
    const struct rules *rules;
    unsigned seats;
    unsigned dealer;
    const char *commitment;
    bool is_guessable; /* the seed was given as a short text */
    const char *contain;
    const char *enforced; /* what the containment enforced, words; "" or NULL if nothing */
    const char *clock;
    long start_ms;
    long move_ms;
    long bank_ms;
    unsigned autopilot;      /* its version */
    const char *branch_of;   /* the last line's hash of the log that it branches off, or NULL */
    unsigned long branch_at; /* so many decisions come from there */
    bool keeps_bots;         /* who wishes to stay is not sent away at the end */
    struct record_bot bots[RULES_SEATS_MAX];
};

/* One accepted answer. */
struct record_answer {
    unsigned seat;
    struct answer answer;
    bool is_autopilot;
    bool is_given; /* taken from the log that this one branches off */
    int64_t charged_us;
    bool is_measured; /* the next three count */
    int64_t wall_us;
    int64_t cpu_us;
    int64_t wait_us;
    unsigned say_count;
    const char *says[LINE_SAYS_MAX];
};

/* A fault of a bot. */
struct record_fault {
    unsigned seat;
    const char *code;
    enum question question;
    bool is_hello;
    const char *line; /* escaped; or "" */
    const char *words;
    const char *ending; /* how its process ended, or "" */
    const char *stderr_tail;
    int64_t charged_us;
};

/* How it ended. */
struct record_result {
    unsigned seats;
    const uint8_t *places;
    const int32_t *total_halves;
    unsigned rounds;
    unsigned long decisions;
    const char *seed;
    char sent[RULES_SEATS_MAX][RECORD_HASH_HEX]; /* the hash of all bytes queued to each seat */
};

/* Each returns the bytes of the record, lent until the next call of the same writer. */
const char *record_header(struct record_writer *writer, const struct record_header *header,
                          size_t *length);
const char *record_start(struct record_writer *writer, const struct events *events, size_t *length);

/* Decision `number` (from 1): one answer, or all bids of a bidding round in seat order. Bids say
 * themselves what happened, so they have no events. */
const char *record_decision(struct record_writer *writer, unsigned long number,
                            enum question question, const struct record_answer *answers,
                            unsigned count, const struct events *events, size_t *length);
const char *record_fault(struct record_writer *writer, unsigned long number,
                         const struct record_fault *fault, size_t *length);
const char *record_result(struct record_writer *writer, const struct record_result *result,
                          size_t *length);

/* The last line: the SHA-256 of all bytes before it. */
const char *record_end(struct record_writer *writer, const char *hash, size_t *length);

#endif
