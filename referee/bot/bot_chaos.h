#ifndef REFEREE_BOT_COURIER_H
#define REFEREE_BOT_COURIER_H

/* Between the host and one bot: a courier who treats the bot roughly, as real pipes and later versions
 * of the protocol may do, and who notes everything that is said. A question's clock starts with its
 * last byte, so nothing that a courier does costs the bot any time. */

#include "bot/bot.h"
#include "wire/roughen.h"

struct event_base;
struct courier;

/* Who wants to know; each function may be NULL. */
struct courier_watch {
    /* Bytes as the bot gets them. */
    void (*on_sent)(void *context, const char *bytes, size_t length);
    /* A line of the bot, as bot_listener gets it. */
    void (*on_line)(void *context, const char *line, size_t length);
    /* The end of a question, before the host hears of it. */
    void (*on_end)(void *context, const struct bot_result *result);
    void *context;
};

/* `roughness` is a sum of enum roughness. Must be freed before the host whose bot it serves. */
struct courier *courier_new(struct event_base *base, unsigned roughness,
                            const struct courier_watch *watch);

/* NULL is fine. */
void courier_free(struct courier *courier);

/* Instead of bot_tell() and bot_ask(). */
void courier_tell(struct courier *courier, const char *bytes, size_t length);
void courier_ask(struct courier *courier, struct bot *bot, int64_t limit_us, bool is_hello,
                 const struct bot_listener *listener);

/* Hands everything over that still waits for a question. */
void courier_flush(struct courier *courier, struct bot *bot);

#endif
