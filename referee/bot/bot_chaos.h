#ifndef REFEREE_BOT_BOT_CHAOS_H
#define REFEREE_BOT_BOT_CHAOS_H

/* A layer between the host and one bot that treats the bot roughly, as real pipes and later
 * versions of the protocol may do, and reports everything that is said. A question's clock starts
 * with its last byte, so nothing that this layer does costs the bot any time. */

#include "bot/bot.h"
#include "wire/mangle.h"

struct event_base;
struct bot_chaos;

/* Each function may be NULL. */
struct bot_chaos_observer {
    /* Bytes as the bot gets them. */
    void (*on_sent)(void *context, const char *bytes, size_t length);
    /* A line of the bot, before the host gets it. */
    void (*on_line)(void *context, struct span line);
    /* The line before was the answer, and the host has taken it. */
    void (*on_answer)(void *context, const struct bot_time *time);
    /* The question ended in a fault, which the host does not know yet. */
    void (*on_failure)(void *context, const struct bot_failure *failure);
    void *context;
};

/* `mangling` is a sum of enum mangle_kind. Must be freed before the host whose bot it serves. */
struct bot_chaos *bot_chaos_new(struct event_base *base, unsigned mangling,
                                const struct bot_chaos_observer *watch);

/* NULL is fine. */
void bot_chaos_free(struct bot_chaos *chaos);

/* Instead of bot_tell() and bot_ask(). */
void bot_chaos_tell(struct bot_chaos *chaos, const char *bytes, size_t length);
void bot_chaos_ask(struct bot_chaos *chaos, struct bot *bot, int64_t limit_us, bool is_hello,
                   const struct bot_listener *listener);

/* Sends everything that still waits for a question. */
void bot_chaos_flush(struct bot_chaos *chaos, struct bot *bot);

#endif
