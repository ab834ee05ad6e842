/* What a bot is told waits here until it is asked something. Then it goes out: at once, or piece by
 * piece by a timer, all but the last piece without a question. The last piece goes with the question
 * itself, so that the bot's own room measures as it always does. */

#include "bot/courier.h"

#include "base/dice.h"
#include "base/memory.h"

#include <event2/buffer.h>
#include <event2/event.h>
#include <stdlib.h>

/* Between two pieces. Long enough for a bot to read the first one before the next one is there. */
#define PIECE_US 1000

/* The one long pause, and the question that has it. */
#define PAUSE_US 1500000
#define PAUSE_QUESTION 4

/* Less than this goes out byte by byte, more in about so many pieces. */
#define FEW_BYTES 48
#define PIECES 8

struct courier {
    unsigned roughness;
    struct courier_watch watch;
    struct evbuffer *queue;
    struct event *on_time;
    struct dice dice;
    unsigned lines; /* that were told so far */
    unsigned asked; /* questions so far, the hello included */

    /* The question that is on its way. */
    struct bot *bot;
    int64_t limit_us;
    bool is_hello;
    size_t piece_most;
    struct bot_listener listener;
};

static void hand_over(struct courier *courier, struct bot *bot, size_t length)
{
    const char *bytes = (const char *)evbuffer_pullup(courier->queue, (ev_ssize_t)length);

    if (length == 0)
        return;
    bot_tell(bot, bytes, length);
    if (courier->watch.on_sent != NULL)
        courier->watch.on_sent(courier->watch.context, bytes, length);
    (void)evbuffer_drain(courier->queue, length);
}

static enum bot_verdict on_line(void *context, const char *line, size_t length,
                                enum bot_outcome *fault, const char **words)
{
    struct courier *courier = context;

    if (courier->watch.on_line != NULL)
        courier->watch.on_line(courier->watch.context, line, length);
    return courier->listener.on_line(courier->listener.context, line, length, fault, words);
}

static void on_end(void *context, const struct bot_result *result)
{
    struct courier *courier = context;

    if (courier->watch.on_end != NULL)
        courier->watch.on_end(courier->watch.context, result);
    courier->listener.on_end(courier->listener.context, result);
}

/* How much goes out next. All but the last byte before the long pause, so that the line end is what is
 * missing. */
static size_t next_piece(struct courier *courier)
{
    size_t length = evbuffer_get_length(courier->queue);

    if (length <= 1)
        return length;
    if (courier->roughness & ROUGH_PAUSE && courier->asked == PAUSE_QUESTION)
        return length - 1;
    if (!(courier->roughness & ROUGH_PIECES))
        return length;
    return 1 + dice_below(&courier->dice, (uint32_t)courier->piece_most) % length;
}

static void send_on(struct courier *courier)
{
    struct bot_listener listener = {on_line, on_end, courier};
    bool is_pause = courier->roughness & ROUGH_PAUSE && courier->asked == PAUSE_QUESTION;
    int64_t wait_us = is_pause ? PAUSE_US : PIECE_US;
    struct timeval wait = {wait_us / 1000000, wait_us % 1000000};

    hand_over(courier, courier->bot, next_piece(courier));
    if (evbuffer_get_length(courier->queue) == 0) {
        bot_ask(courier->bot, courier->limit_us, courier->is_hello, &listener);
        return;
    }
    bot_flush(courier->bot);
    (void)event_add(courier->on_time, &wait);
}

static void on_time(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    send_on(context);
}

struct courier *courier_new(struct event_base *base, unsigned roughness,
                            const struct courier_watch *watch)
{
    struct courier *courier = xcalloc(1, sizeof *courier);

    courier->roughness = roughness;
    courier->watch = *watch;
    courier->dice = dice_from(1);
    courier->queue = evbuffer_new();
    courier->on_time = evtimer_new(base, on_time, courier);
    return courier;
}

void courier_free(struct courier *courier)
{
    if (courier == NULL)
        return;
    event_free(courier->on_time);
    evbuffer_free(courier->queue);
    free(courier);
}

void courier_tell(struct courier *courier, const char *bytes, size_t length)
{
    struct span rest = {bytes, length};
    char buffer[ROUGHEN_MAX];
    struct text text;

    while (rest.start != NULL && rest.length > 0) {
        struct span line = span_cut(&rest, '\n');

        text_start(&text, buffer, sizeof buffer);
        roughen_line(&text, courier->roughness, courier->lines++, line);
        (void)evbuffer_add(courier->queue, text.buffer, text.length);
    }
}

void courier_ask(struct courier *courier, struct bot *bot, int64_t limit_us, bool is_hello,
                 const struct bot_listener *listener)
{
    size_t length = evbuffer_get_length(courier->queue);

    courier->bot = bot;
    courier->limit_us = limit_us;
    courier->is_hello = is_hello;
    courier->listener = *listener;
    courier->asked++;
    courier->piece_most = length <= FEW_BYTES ? 1 : 2 * length / PIECES;
    send_on(courier);
}

void courier_flush(struct courier *courier, struct bot *bot)
{
    hand_over(courier, bot, evbuffer_get_length(courier->queue));
}
