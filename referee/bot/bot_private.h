#ifndef REFEREE_BOT_BOT_PRIVATE_H
#define REFEREE_BOT_BOT_PRIVATE_H

/* What the files of a bot share and nobody else sees: bot.c its life, bot_question.c the events of a
 * question, bot_input.c its lines, bot_fault.c its end and the words for it, bot_exit.c the time after
 * bot_leave(). */

#include "bot/bot.h"
#include "bot/stderr_capture.h"
#include "bot/line_buffer.h"
#include "bot/write_buffer.h"
#include "bot/move_timer.h"

#include <event2/event.h>
#include <event2/event_struct.h>
#include <sys/types.h>

#define BOT_QUESTION_LINES_MAX 64

/* Where a bot is. A question is open from BOT_WRITING to BOT_DECIDED. */
enum bot_phase {
    BOT_IDLE,      /* nothing is asked */
    BOT_WRITING,   /* the pipe has not taken all of the question yet */
    BOT_LISTENING, /* the question is out, and its clock runs */
    BOT_PROVING,   /* it is late and its input closed: does the answer come out of a buffer now? */
    BOT_ENDING,    /* its output has ended: will its process say why? */
    BOT_DECIDED,   /* how the question ends is known; the loop is to say it */
    BOT_LEAVING,   /* it was let go, and its end is waited for */
};

struct bot {
    enum bot_phase phase;
    pid_t pid; /* -1 if it could not be run */
    int pidfd;
    int stdin_fd;
    int stdout_fd;
    int stderr_fd;
    struct event on_output;
    struct event on_room; /* there is room in its input pipe */
    struct event on_stderr;
    struct event on_exit;
    struct event on_time;
    struct event on_watch;
    int64_t armed_us;       /* when `on_time` will come; 0 if it will not */
    bool is_output_watched; /* `on_output` is added */
    bool is_output_over;    /* the end of its output was read */
    bool is_ended;          /* its process has ended and is reaped */
    bool is_overfull;       /* it left so much unread that it was dropped */
    char ending[80];        /* how its process ended; "" before */
    char *start_problem;    /* why it could not be run; NULL if it was */
    struct jail *jail;      /* where it is contained; NULL if it is not */
    long memory_mb;         /* more it may not use; 0: no limit */
    char stop_words[120];   /* why we stopped it; "" if we did not */
    struct write_buffer output;
    struct line_buffer input;
    struct stderr_capture capture;
    struct move_timer timer;
    bot_left_fn *on_left; /* of BOT_LEAVING, with `left_context` */
    void *left_context;

    /* The question. */
    struct bot_listener listener;
    bool is_hello;
    unsigned lines;
    enum bot_outcome outcome; /* from BOT_PROVING on */
    struct bot_time time;     /* likewise */
    bool was_busy;            /* of BOT_PROVING: it was computing when its time was over */
    unsigned moments;         /* of BOT_PROVING and BOT_ENDING: that it has been given so far */
};

/* Events. Each finds out what happened and returns; the bot may have been freed or asked again by
 * then. */
void bot_question_on_output(evutil_socket_t fd, short what, void *context);
void bot_question_on_room(evutil_socket_t fd, short what, void *context);
void bot_question_on_time(evutil_socket_t fd, short what, void *context);
void bot_question_on_exit(evutil_socket_t fd, short what, void *context);

/* Writes what is queued and lets the clock of the question run. */
void bot_question_open(struct bot *bot);

/* Lets `on_time` come at `at_us` or before. */
void bot_question_arm(struct bot *bot, int64_t at_us, int64_t now_us);

bool bot_question_is_open(const struct bot *bot);
void bot_question_stop_reading(struct bot *bot);

/* Something is to come now: waits for it in `phase`, but only for a moment. */
void bot_question_wait_for(struct bot *bot, enum bot_phase phase);

/* Ends the question with BOT_GONE. */
void bot_question_end_gone(struct bot *bot);

/* What listening came to. */
enum bot_input_state {
    BOT_INPUT_MORE,    /* bytes came, and the question is still open */
    BOT_INPUT_NOTHING, /* none are there, and the question is still open */
    BOT_INPUT_ENDED,   /* the question has ended; another one may be open, or the bot freed */
};

/* Reads once and hands on the lines that there are. */
enum bot_input_state bot_input_once(struct bot *bot);

/* Reads all that there is. It ends, because a question that is open takes only so many bytes. */
enum bot_input_state bot_input_all(struct bot *bot);

/* Its output has ended: nothing can come any more, but its process may still say why. */
void bot_input_end(struct bot *bot);

/* Closes a pipe's end, if it is open. */
void bot_question_close_fd(int *fd);

/* A fault that was found in this room. `line` is the raw line, or an empty span. */
struct bot_fault {
    enum bot_outcome outcome;
    struct bot_time time;
    struct span line;
    const char *words; /* NULL: those that fit */
    bool was_in_buffer;
};

/* Ends the open question and tells the listener; touches the bot no more after that. */
void bot_fault_none(struct bot *bot, const struct bot_time *time);
void bot_fault_found(struct bot *bot, const struct bot_fault *verdict);

/* The same for a fault that the listener found: it is passed on as it is. */
void bot_fault_refused(struct bot *bot, const struct bot_fault *verdict);

/* Whether the question may be opened; if not, how it ends has been decided. */
bool bot_fault_before_asking(struct bot *bot);

/* Looks now and then whether the bot uses more than it may, and stops it if it does. */
void bot_limits_start(struct bot *bot);
void bot_limits_on_time(evutil_socket_t fd, short what, void *context);

/* Kills the process with all that is left of its group. */
void bot_exit_kill(const struct bot *bot);

/* Ends the process with all that is left of its group and reaps it. */
void bot_exit_reap(struct bot *bot);

/* Of a bot that was let go: its output, the end of its time to go, the end of its process. */
void bot_exit_on_output(struct bot *bot);
void bot_exit_on_time(struct bot *bot);
void bot_exit_end(struct bot *bot);

#endif
