#ifndef REFEREE_WIRE_LOG_RECORD_H
#define REFEREE_WIRE_LOG_RECORD_H

/* The records of a log, one JSON document on one line each; protocol.md describes them field by
 * field. A record writer gives back the bytes of one record, without a line end. */

#include "game/allegra.h"
#include "wire/bot_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOG_RECORD_VERSION 1
#define LOG_RECORD_MACHINE_MAX 64
#define LOG_RECORD_SPEED_MAX 1000000000L
#define LOG_RECORD_HASH_HEX 65 /* 32 bytes in hexadecimal, and a NUL */

struct log_record_writer;

struct log_record_writer *log_record_writer_new(void);
void log_record_writer_free(struct log_record_writer *writer);

/* Which bot sits where. Everything is borrowed. */
struct log_record_bot {
    const char *name; /* as the organiser calls it: what the tables show */
    const char *command;
    const char *hash;  /* of its files, in hexadecimal, or "" */
    const char *hello; /* its name in its own hello; "" if it sent none */
    struct bot_line_options options;
    bool is_kept;          /* its process played other matches before */
    uint64_t asked_before; /* of a kept one: how many questions it was asked in them */
};

/* What the log begins with. */
struct log_record_header {
    const char *referee; /* the version of the program that wrote it */
    const struct allegra_rules *rules;
    const char *variant; /* the name of the rules; "" or NULL if they have none */
    const char *machine; /* that played it for a tournament elsewhere; "" or NULL: not said */
    long speed;          /* of that machine; 0: not said */
    long reference;      /* the speed that the limits of the tournament are for; 0: any */
    unsigned seats;
    unsigned dealer;
    const char *commitment;
    bool is_guessable; /* the seed was given as a short text */
    const char *sandbox;
    const char *enforced; /* what the sandbox enforced; "" or NULL if nothing */
    const char *clock;
    bool may_ponder; /* bots may think while they are not asked */
    long start_ms;
    long move_ms;
    long bank_ms;
    unsigned cores;          /* that a bot can use */
    unsigned autopilot;      /* its version */
    const char *branch_of;   /* the last line's hash of the log that it branches off, or NULL */
    unsigned long branch_at; /* so many decisions come from there */
    bool keeps_bots;         /* a bot that asked to stay is not stopped at the end */
    struct log_record_bot bots[ALLEGRA_SEATS_MAX];
};

/* What a question cost. */
struct log_record_time {
    int64_t charged_us;
    int64_t pondered_us; /* CPU time that it used before the question, without having been asked */
    bool is_measured;    /* the rest counts */
    int64_t wall_us;
    int64_t cpu_us;
    int64_t wait_us;
    int64_t away_us;
    int64_t stolen_us;
};

/* One accepted answer. */
struct log_record_answer {
    unsigned seat;
    struct allegra_answer answer;
    bool is_autopilot;
    bool is_given; /* taken from the log that this one branches off */
    struct log_record_time time;
    unsigned say_count;
    const char *says[BOT_LINE_SAYS_MAX];
};

/* A fault of a bot. */
struct log_record_fault {
    unsigned seat;
    const char *code;
    enum allegra_question question;
    bool is_hello;
    const char *line; /* escaped; or "" */
    const char *message;
    const char *ending; /* how its process ended, or "" */
    const char *stderr_tail;
    struct log_record_time time;
};

/* How it ended. */
struct log_record_result {
    unsigned seats;
    const uint8_t *places;
    const int32_t *total_halves;
    unsigned rounds;
    unsigned long decisions;
    const char *seed;
    char sent[ALLEGRA_SEATS_MAX]
             [LOG_RECORD_HASH_HEX]; /* the hash of all bytes queued to each seat */
};

/* Each returns the bytes of the record, lent until the next call of the same writer. */
const char *log_record_header(struct log_record_writer *writer,
                              const struct log_record_header *header, size_t *length);
const char *log_record_start(struct log_record_writer *writer, const struct allegra_events *events,
                             size_t *length);

/* Decision `number` (from 1): one answer, or all bids of a bidding round in seat order. Bids say
 * themselves what happened, so they have no events. */
const char *log_record_decision(struct log_record_writer *writer, unsigned long number,
                                enum allegra_question question,
                                const struct log_record_answer *answers, unsigned count,
                                const struct allegra_events *events, size_t *length);
const char *log_record_fault(struct log_record_writer *writer, unsigned long number,
                             const struct log_record_fault *fault, size_t *length);
const char *log_record_result(struct log_record_writer *writer,
                              const struct log_record_result *result, size_t *length);

/* The last line: the SHA-256 of all bytes before it. */
const char *log_record_end(struct log_record_writer *writer, const char *hash, size_t *length);

#endif
