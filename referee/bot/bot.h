#ifndef REFEREE_BOT_BOT_H
#define REFEREE_BOT_BOT_H

/* One bot: a child process, the two pipes of the protocol, its stderr, and its clock.
 *
 * bot_tell() only queues bytes; bot_ask() writes everything queued and waits for lines until the
 * listener accepts one. All trouble with the process or its lines comes back as the failure of a
 * question, so that a bot is judged only when it is its turn. No bot can make any function here
 * fail otherwise. */

#include "base/text.h"
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
    BOT_TOO_LONG,   /* its line is longer than BOT_LINE_MAX */
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

/* What a question cost. From the measured values, `charged_us` follows by clock_rule.h. */
struct bot_time {
    int64_t charged_us;  /* what counts */
    int64_t wall_us;     /* from the last byte of the question to the line end of the answer */
    int64_t cpu_us;      /* the rest only if `is_measured` */
    int64_t wait_us;     /* ready to run, but the machine did not run it */
    int64_t away_us;     /* nobody knows whether it ran, or the referee was not there to listen */
    int64_t stolen_us;   /* what the host of a virtual machine took */
    int64_t pondered_us; /* CPU time before the question, while nothing was asked; 0 if little */
    bool is_measured;
};

/* How much of what a bot wrote to stderr is kept with a fault, escaped. */
#define BOT_STDERR_TAIL_BYTES 600

/* A question that ended in a fault. Texts are lent, and "" where there is nothing to say. */
struct bot_failure {
    enum bot_outcome outcome;
    struct bot_time time;
    const char *line;        /* the line at fault, escaped for people (\xNN) */
    const char *message;     /* a sentence for its author about what happened */
    const char *ending;      /* how its process ended, as in bot_ending() */
    const char *stderr_tail; /* the last lines that it wrote to stderr, escaped */
    bool was_in_buffer;      /* of BOT_LATE: it came when its input was closed, so not flushed */
    bool is_starved;         /* it is not its fault: the machine did not give it its time */
};

/* What a listener makes of a line. */
enum bot_verdict {
    BOT_MORE_TO_COME, /* the question is still open: more lines are to come */
    BOT_ACCEPT,       /* that was the answer: the question has ended */
    BOT_REFUSE,       /* a fault: the refusal has been filled in */
};

/* Why a line was refused. */
struct bot_refusal {
    enum bot_outcome outcome;
    char message[200];
};

/* Follows a question. Both functions are called from the event loop, never from within bot_ask().
 * `on_line` gets each line in order, without its line end and one CR before it, and only printable
 * ASCII lines within the limits. If it returns BOT_ACCEPT it may have asked the bot again, let it
 * go or freed it. `on_failure` is called once if the question ends otherwise, and may do the
 * same. */
struct bot_listener {
    enum bot_verdict (*on_line)(void *context, struct span line, const struct bot_time *time,
                                struct bot_refusal *refusal);
    void (*on_failure)(void *context, const struct bot_failure *failure);
    void *context;
};

/* How to run it. Lent for the call only, except `sandbox`. */
struct bot_spec {
    const char *const *argv; /* argv[0] is a path, or a name that is looked up in PATH */
    const char *folder;      /* its current folder, where a relative path begins; NULL: ours */
    bool is_folder_shared;   /* as in process_spec */
    const char *problem;     /* why it cannot be started, as is known already; or NULL */
    const char *const *environment; /* "KEY=VALUE", added to what it has anyway; NULL: nothing */
    long memory_mb; /* the most it may use; 0: the default of the sandbox, or no limit */
    enum clock_rule clock;
    bool may_ponder;   /* it may run while it is not asked; else it is frozen when it does */
    bool shows_stderr; /* pass its stderr on to ours, line by line, with `label` before it */
    const char *label;
    int cpu;                 /* to pin it to, or -1 */
    struct sandbox *sandbox; /* lent for its life; NULL: it is not contained */
};

/* How many cores the bots of a match can use: those of the machine, or the one they are pinned
 * to. */
unsigned bot_cores(int cpu);

/* Starts the process. Never fails for a reason of the bot: if it cannot be run, the first question
 * ends with BOT_NO_START and says why. Returns NULL with errno if the machine has no pipe, process
 * or descriptor left for us. */
struct bot *bot_start(struct event_base *base, const struct bot_spec *spec);

/* Queues bytes for the bot; they go out with the next question (or before, if they are many). */
void bot_tell(struct bot *bot, const char *bytes, size_t length);

/* Writes what is queued and opens a question with at most `limit_us` to answer it. Unsolicited
 * lines that came before end it at once (BOT_UNASKED, BOT_FLOOD); so does an end of its process
 * that leaves nothing to read. `is_hello` makes it the hello: then trouble is BOT_NO_START. */
void bot_ask(struct bot *bot, int64_t limit_us, bool is_hello, const struct bot_listener *listener);

/* Writes what is queued without asking anything, as far as the pipe takes it. */
void bot_flush(struct bot *bot);

/* Whether a bot that is asked nothing can play another match: it runs, has read everything it was
 * sent, and has written nothing unsolicited. */
bool bot_is_ready(const struct bot *bot);

/* Forgets what it has written to stderr so far. */
void bot_forget_stderr(struct bot *bot);

/* Called from the loop when a bot that was let go has ended and was reaped, its output and stderr
 * read as far as they came. The bot is freed right after it. */
typedef void bot_left_fn(void *context, struct bot *bot);

/* Lets the bot go: writes what is queued, closes its input, and kills it with its process group if
 * it does not end by itself within `grace_ms` (0: at once). The listener of an open question is not
 * called any more. Takes the bot. */
void bot_leave(struct bot *bot, long grace_ms, bot_left_fn *on_left, void *context);

/* Kills it at once and waits until it is reaped; what it wrote to stderr before is still shown, if
 * it is shown at all. Takes the bot; NULL is fine. */
void bot_free(struct bot *bot);

/* What it has written to stderr so far, read or not: the beginning and the end, with a note of what
 * was left out between them. Lent until the next call of this room. */
const char *bot_stderr(struct bot *bot, size_t *length);

/* The last line or lines of it (at most `most` bytes), escaped for people. Lent likewise. */
const char *bot_stderr_tail(struct bot *bot, size_t most);

/* "exit status 3" or "signal 11 (Segmentation fault)" once it has ended; "" before. */
const char *bot_ending(const struct bot *bot);

#endif
