#ifndef REFEREE_BOT_BOT_H
#define REFEREE_BOT_BOT_H

/* One bot: a child process, the two pipes that the protocol runs over, its stderr, and its clock.
 *
 * A bot is told things with bot_tell(), which only queues them, and asked things with bot_ask(),
 * which writes everything queued and waits for lines until somebody calls the question answered. All
 * trouble with the process or its lines comes back as the outcome of a question, so that a bot is
 * judged only when it is its turn. No bot can make any function here fail otherwise. */

#include "bot/clock_rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_base;
struct bot;
struct sandbox;

/* How a question ended. Every value but BOT_ANSWERED is the bot's fault. */
enum bot_outcome {
    BOT_ANSWERED,
    BOT_LATE,       /* its time for this question ran out */
    BOT_ILLEGAL,    /* the rules do not allow its answer (found above this room) */
    BOT_UNREADABLE, /* its line is not the protocol */
    BOT_TOO_LONG,   /* its line is longer than LINE_BOT_MAX */
    BOT_FLOOD,      /* more lines than anybody could have asked for */
    BOT_UNASKED,    /* it said something that was not asked now */
    BOT_GONE,       /* its process ended or closed its output */
    BOT_DEAF,       /* it did not read the question */
    BOT_NO_START,   /* it could not be started, or never said hello */
    BOT_BAD_HELLO,  /* its hello is not the protocol */
    BOT_OUTCOME_COUNT,
};

/* "late", "illegal", … as the protocol and the log write it; "answered" for BOT_ANSWERED. */
const char *bot_outcome_name(enum bot_outcome outcome);

/* What a listener says about a line that it was handed. */
enum bot_verdict {
    BOT_GO_ON,  /* the question is still open: more lines are to come */
    BOT_ACCEPT, /* that was the answer */
    BOT_REFUSE, /* a fault: `*fault` has been set */
};

/* What a question cost. */
struct bot_time {
    int64_t charged_us; /* what counts */
    int64_t wall_us;    /* from the last byte of the question to the line end of the answer */
    int64_t cpu_us;     /* the rest only if `is_measured` */
    int64_t wait_us;    /* ready to run, but the machine did not run it */
    bool is_measured;
};

/* The end of a question. */
struct bot_result {
    enum bot_outcome outcome;
    struct bot_time time;
    const char *line; /* the line at fault, escaped for people (\xNN); "" if there is none; lent */
    const char
        *words; /* a sentence for its author about what happened; "" for BOT_ANSWERED; lent */
    bool
        was_in_buffer; /* of BOT_LATE: the answer came when its input was closed: it did not flush */
};

/* Who wants to know about a question. Both are called from the event loop, never from within
 * bot_ask(). `on_line` gets each line, its line end gone (one CR before it too), in order; it is only
 * handed printable ASCII lines within the limits. `on_end` is called exactly once a question. */
struct bot_listener {
    enum bot_verdict (*on_line)(void *context, const char *line, size_t length,
                                enum bot_outcome *fault, const char **words);
    void (*on_end)(void *context, const struct bot_result *result);
    void *context;
};

/* How to run it. Lent for the call only, but for `sandbox`. */
struct bot_spec {
    const char *const *argv; /* argv[0] is a path, or a name that is looked up in PATH */
    const char *folder;      /* its current folder, where a relative path begins; NULL: ours */
    const char *const *environment; /* "KEY=VALUE", added to what it has anyway; NULL: nothing */
    long memory_mb; /* more than this it may not use; 0: what the containment gives, or no limit */
    enum clock_rule clock;
    bool shows_stderr; /* pass its stderr on to ours, line by line, with `label` before it */
    const char *label;
    int cpu;                 /* to pin it to, or -1 */
    struct sandbox *sandbox; /* how strictly it is kept; NULL: not at all. Lent for its life */
};

/* Starts the process. Never fails for a bot's reason: if it cannot be run, the first question ends
 * with BOT_NO_START and says why. Returns NULL with errno if the world has no pipe, process or
 * descriptor left for us. */
struct bot *bot_start(struct event_base *base, const struct bot_spec *spec);

/* Queues bytes for the bot; they go out with the next question (or before, if they are many). */
void bot_tell(struct bot *bot, const char *bytes, size_t length);

/* Writes what is queued and opens a question with at most `limit_us` to answer it. Lines that came
 * before, unasked, end it at once (BOT_UNASKED, BOT_FLOOD); so does an end of its process that
 * leaves nothing to read. `start` makes it the hello: then trouble is BOT_NO_START. */
void bot_ask(struct bot *bot, int64_t limit_us, bool is_hello, const struct bot_listener *listener);

/* Writes what is queued without asking anything, as far as the pipe takes it. */
void bot_flush(struct bot *bot);

/* Whether a bot that is asked nothing could go on with another match: it is there, it has read all that
 * it was told, and has written nothing that nobody asked for. */
bool bot_is_ready(const struct bot *bot);

/* Forgets what it wrote to stderr so far. */
void bot_forget_stderr(struct bot *bot);

/* Called from the loop when a bot that was let go has ended and was reaped, its output and stderr
 * read to their end as far as they came. The bot is freed right after it. */
typedef void bot_left_fn(void *context, const struct bot *bot);

/* Lets the bot go: writes what is queued, closes its input, and kills it if it does not end by itself
 * within `grace_ms` (0: at once), with all that is left of its process group. `on_end` of an open
 * question is never called any more. Takes the bot. May be called from on_end. */
void bot_leave(struct bot *bot, long grace_ms, bot_left_fn *on_left, void *context);

/* Kills it at once and waits until it is reaped. Takes the bot; NULL is fine. Not from on_line. */
void bot_free(struct bot *bot);

/* What it wrote to stderr so far: the beginning and the end, with a note of what was left out
 * between them. Lent until the next call of this room. */
const char *bot_stderr(const struct bot *bot, size_t *length);

/* The last line or lines of it (at most `most` bytes), escaped for people. Lent likewise. */
const char *bot_stderr_tail(const struct bot *bot, size_t most);

/* The folder that it may write to, as long as the bot is there; NULL if it has none that we can see. */
const char *bot_scratch(const struct bot *bot);

/* "exit status 3" or "signal 11 (Segmentation fault)" once it has ended; NULL before. */
const char *bot_ending(const struct bot *bot);

#endif
