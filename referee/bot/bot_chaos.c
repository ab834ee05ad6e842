/* Bytes wait here until the bot is asked something. Then they go out: at once, or piece by piece by
 * a timer, all but the last piece without a question. The last piece goes with the question itself,
 * so that its time is measured as always. */

#include "bot/bot_chaos.h"

#include "game/allegra.h"
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

struct bot_chaos {
    unsigned mangling;
    struct bot_chaos_observer watch;
    struct evbuffer *queue;
    struct event *on_time;
    struct allegra_dice dice;
    unsigned lines; /* sent so far */
    unsigned asked; /* questions so far, the hello included */

    /* The question that is on its way. */
    struct bot *bot;
    int64_t limit_us;
    bool is_hello;
    size_t piece_most;
    struct bot_listener listener;
};

static void send_bytes(struct bot_chaos *chaos, struct bot *bot, size_t length)
{
    const char *bytes = (const char *)evbuffer_pullup(chaos->queue, (ev_ssize_t)length);

    if (length == 0)
        return;
    bot_tell(bot, bytes, length);
    if (chaos->watch.on_sent != NULL)
        chaos->watch.on_sent(chaos->watch.context, bytes, length);
    (void)evbuffer_drain(chaos->queue, length);
}

static enum bot_verdict on_line(void *context, struct span line, const struct bot_time *time,
                                struct bot_refusal *refusal)
{
    struct bot_chaos *chaos = context;
    enum bot_verdict verdict;

    if (chaos->watch.on_line != NULL)
        chaos->watch.on_line(chaos->watch.context, line);
    verdict = chaos->listener.on_line(chaos->listener.context, line, time, refusal);
    if (verdict == BOT_ACCEPT && chaos->watch.on_answer != NULL)
        chaos->watch.on_answer(chaos->watch.context, time);
    return verdict;
}

static void on_failure(void *context, const struct bot_failure *failure)
{
    struct bot_chaos *chaos = context;

    if (chaos->watch.on_failure != NULL)
        chaos->watch.on_failure(chaos->watch.context, failure);
    chaos->listener.on_failure(chaos->listener.context, failure);
}

/* How much goes out next. All but the last byte before the long pause, so that only the line end is
 * missing. */
static size_t next_piece(struct bot_chaos *chaos)
{
    size_t length = evbuffer_get_length(chaos->queue);

    if (length <= 1)
        return length;
    if (chaos->mangling & MANGLE_PAUSE && chaos->asked == PAUSE_QUESTION)
        return length - 1;
    if (!(chaos->mangling & MANGLE_PIECES))
        return length;
    return 1 + allegra_dice_below(&chaos->dice, (uint32_t)chaos->piece_most) % length;
}

static void send_next(struct bot_chaos *chaos)
{
    struct bot_listener listener = {on_line, on_failure, chaos};
    bool is_pause = chaos->mangling & MANGLE_PAUSE && chaos->asked == PAUSE_QUESTION;
    int64_t wait_us = is_pause ? PAUSE_US : PIECE_US;
    struct timeval wait = {wait_us / 1000000, wait_us % 1000000};

    send_bytes(chaos, chaos->bot, next_piece(chaos));
    if (evbuffer_get_length(chaos->queue) == 0) {
        bot_ask(chaos->bot, chaos->limit_us, chaos->is_hello, &listener);
        return;
    }
    bot_flush(chaos->bot);
    (void)event_add(chaos->on_time, &wait);
}

static void on_time(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    send_next(context);
}

struct bot_chaos *bot_chaos_new(struct event_base *base, unsigned mangling,
                                const struct bot_chaos_observer *watch)
{
    struct bot_chaos *chaos = xcalloc(1, sizeof *chaos);

    chaos->mangling = mangling;
    chaos->watch = *watch;
    chaos->dice = allegra_dice_from(1);
    chaos->queue = evbuffer_new();
    chaos->on_time = evtimer_new(base, on_time, chaos);
    return chaos;
}

void bot_chaos_free(struct bot_chaos *chaos)
{
    if (chaos == NULL)
        return;
    event_free(chaos->on_time);
    evbuffer_free(chaos->queue);
    free(chaos);
}

void bot_chaos_tell(struct bot_chaos *chaos, const char *bytes, size_t length)
{
    struct span rest = {bytes, length};
    char buffer[MANGLE_MAX];
    struct text text;

    while (rest.start != NULL && rest.length > 0) {
        struct span line = span_cut(&rest, '\n');

        text_start(&text, buffer, sizeof buffer);
        mangle_line(&text, chaos->mangling, chaos->lines++, line);
        (void)evbuffer_add(chaos->queue, text.buffer, text.length);
    }
}

void bot_chaos_ask(struct bot_chaos *chaos, struct bot *bot, int64_t limit_us, bool is_hello,
                   const struct bot_listener *listener)
{
    size_t length = evbuffer_get_length(chaos->queue);

    chaos->bot = bot;
    chaos->limit_us = limit_us;
    chaos->is_hello = is_hello;
    chaos->listener = *listener;
    chaos->asked++;
    chaos->piece_most = length <= FEW_BYTES ? 1 : 2 * length / PIECES;
    send_next(chaos);
}

void bot_chaos_flush(struct bot_chaos *chaos, struct bot *bot)
{
    send_bytes(chaos, bot, evbuffer_get_length(chaos->queue));
}
