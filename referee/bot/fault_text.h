#ifndef REFEREE_BOT_FAULT_TEXT_H
#define REFEREE_BOT_FAULT_TEXT_H

/* The sentence about a fault, for the author of the bot. It follows from a few facts, so that a
 * log, which has most of them, can be held against it later. */

#include "base/text.h"
#include "bot/bot.h"

#include <stdbool.h>
#include <stdint.h>

/* How a bot was deaf. */
enum fault_text_deaf {
    FAULT_TEXT_NOT_READING, /* the question could not be written in its time */
    FAULT_TEXT_OVERFULL,    /* too much was waiting for it before it was asked */
    FAULT_TEXT_CLOSED,      /* it closed its input */
};

struct fault_text {
    enum bot_outcome outcome; /* as it is called when it is not the hello */
    bool is_hello;
    bool has_line; /* it wrote something, but not a fine answer */
    int64_t charged_us;
    int64_t limit_us;
    int64_t cpu_us; /* of BOT_LATE: how much of the charged time it computed, if it was measured */
    bool is_measured;
    bool was_in_buffer;        /* of BOT_LATE */
    enum fault_text_deaf deaf; /* of BOT_DEAF */
    const char *ending;        /* of BOT_GONE: how its process ended; "" if it runs */
    const char *stop_reason;   /* of BOT_GONE: why we killed it; "" if we did not */
    const char *start_problem; /* of BOT_NO_START; or NULL */
};

void fault_text_write(struct text *text, const struct fault_text *fault);

/* What a fault is called when it happens instead of a hello. */
enum bot_outcome fault_text_in_hello(enum bot_outcome outcome);

#endif
