#ifndef REFEREE_BOT_BOT_PRIVATE_H
#define REFEREE_BOT_BOT_PRIVATE_H

/* Shared by the files of a bot: bot.c has its life, bot_question.c its questions and lines,
 * bot_fault.c how a question ends in a fault, and the messages about it; bot_rest.c what bots do
 * while they are not asked. */

#include "bot/bot.h"
#include "bot/line_buffer.h"
#include "bot/move_timer.h"
#include "bot/write_buffer.h"
#include "sandbox/process.h"

#include <event2/event.h>
#include <event2/event_struct.h>

#define BOT_QUESTION_LINES_MAX 64

/* Where a bot is. A question is open from BOT_WRITING to BOT_DECIDED. */
enum bot_phase {
    BOT_IDLE,      /* nothing is asked */
    BOT_WRITING,   /* the pipe has not taken all of the question yet */
    BOT_LISTENING, /* the question is out, and its clock runs */
    BOT_LINGERING, /* it is late and waits for input: does its answer come by itself? */
    BOT_PROVING,   /* likewise, and its input is closed: does it come out of a buffer now? */
    BOT_ENDING,    /* its output has ended: will its process say why? */
    BOT_DECIDED,   /* how the question ends is known; the loop is to report it */
    BOT_LEAVING,   /* it was let go, and its end is awaited */
};

struct bot {
    enum bot_phase phase; /* set by bot_enter() */
    struct process process;
    struct event on_output;
    struct event on_room; /* there is room in its input pipe; added in BOT_WRITING */
    struct event on_stderr;
    struct event on_exit;
    struct event on_time;
    struct event on_limits;
    int64_t armed_us;       /* when `on_time` will come; 0 if it will not */
    bool is_output_watched; /* `on_output` is added */
    bool is_output_over;    /* the end of its output was read */
    bool is_overfull;       /* it left so much unread that it was dropped */
    char *start_problem;    /* why it could not be run; NULL if it was */
    char *label;
    bool may_ponder;
    bool is_restless; /* it was found running while nothing was asked */
    bool is_frozen;
    struct bot *next; /* of all bots that run */
    struct bot *previous;
    struct write_buffer output;
    struct line_buffer input;
    struct move_timer timer;
    bot_left_fn *on_left; /* of BOT_LEAVING, with `left_context` */
    void *left_context;

    /* The question. */
    struct bot_listener listener;
    bool is_hello;
    unsigned lines;
    enum bot_outcome outcome; /* from BOT_LINGERING on */
    struct bot_time time;     /* likewise */
    unsigned waits;           /* of BOT_PROVING and BOT_ENDING: how often they have waited */
};

/* Changes the phase. */
void bot_enter(struct bot *bot, enum bot_phase phase);

/* Lets `on_time` come at `at_us` or before. */
void bot_arm(struct bot *bot, int64_t at_us, int64_t now_us);

/* Events. Each finds out what happened and returns; the bot may have been freed or asked again by
 * then. */
void bot_question_on_output(evutil_socket_t fd, short what, void *context);
void bot_question_on_room(evutil_socket_t fd, short what, void *context);
void bot_question_on_time(evutil_socket_t fd, short what, void *context);

/* The process of a bot that was not let go has ended and was reaped. */
void bot_question_process_ended(struct bot *bot);

/* The same events for a bot that was let go. */
void bot_leaving_output(struct bot *bot);
void bot_leaving_time(struct bot *bot);

/* A fault of the open question. `line` is the raw line, or an empty span. */
struct bot_fault {
    enum bot_outcome outcome;
    struct bot_time time;
    struct span line;
    const char *message; /* NULL: the one that fits */
    bool was_in_buffer;
    bool is_starved;
};

/* Ends the open question with a fault and calls the listener; does not touch the bot after that. */
void bot_fault_end(struct bot *bot, const struct bot_fault *fault);

/* A bot runs from the first call to the second. */
void bot_rest_begin(struct bot *bot);
void bot_rest_end(struct bot *bot);

/* A bot is about to be asked, or let go: it continues, and those that cannot keep quiet are frozen
 * until it is their turn. */
void bot_rest_wake(struct bot *bot);

/* A bot thinks for long: those that run meanwhile without having been asked are frozen. */
void bot_rest_calm(const struct bot *asked);

/* Likewise one bot, if nothing is asked of it. */
void bot_rest_check(struct bot *bot);

/* Adds a sentence about which bots have used the CPU without having been asked. */
void bot_rest_describe(struct text *text);

/* Whether the question may be opened; if not, how it ends has been decided. */
bool bot_fault_before_asking(struct bot *bot);

#endif
