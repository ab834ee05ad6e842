/* A bot is one allocation: its process, three pipes, five events and the question that is open, if
 * one is. It is idle until it is asked, and idle again before the listener hears how the question
 * ended, so that the listener can ask the next one or free the bot.
 *
 * What a bot does between questions is not judged then. Its output is read once, so that the pipe is
 * not polled in vain, and what was found lies in the buffer until the next question, which it ends as
 * unasked. Nothing is read when a question is opened: a line that arrives later than that is handed to
 * the listener, and since it cannot carry the number of the new question the listener finds it unasked
 * too. So both orders end in the same way, whatever the load of the machine. The hello is the
 * exception, because it may come before anybody has asked for it. */

#include "bot/bot_private.h"

#include "base/clock.h"
#include "base/memory.h"
#include "sandbox/jail.h"
#include "sandbox/sandbox.h"
#include "bot/loop_lag.h"
#include "sandbox/spawn.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROBLEM_BYTES 512
#define STDERR_PIECE_BYTES ((size_t)64 * 1024)

static void on_stderr(evutil_socket_t fd, short what, void *context)
{
    struct bot *bot = context;

    (void)what;
    if (stderr_capture_read(&bot->capture, fd, STDERR_PIECE_BYTES))
        return;
    (void)event_del(&bot->on_stderr);
    bot_question_close_fd(&bot->stderr_fd);
}

/* Events without a descriptor stay valid, so that they can be deleted whatever became of the bot. */
static void assign_events(struct bot *bot, struct event_base *base)
{
    (void)event_assign(&bot->on_output, base, bot->stdout_fd, EV_READ | EV_PERSIST,
                       bot_question_on_output, bot);
    (void)event_assign(&bot->on_room, base, bot->stdin_fd, EV_WRITE | EV_PERSIST,
                       bot_question_on_room, bot);
    (void)event_assign(&bot->on_stderr, base, bot->stderr_fd, EV_READ | EV_PERSIST, on_stderr, bot);
    (void)event_assign(&bot->on_exit, base, bot->pidfd, EV_READ | EV_PERSIST, bot_question_on_exit,
                       bot);
    (void)evtimer_assign(&bot->on_time, base, bot_question_on_time, bot);
    (void)event_assign(&bot->on_watch, base, -1, EV_PERSIST, bot_limits_on_time, bot);
}

/* Returns 0, or -1 with errno: the kernel watches no more descriptors for us. A bot that is not heard
 * would be late. */
static int watch(struct bot *bot)
{
    if (event_add(&bot->on_output, NULL) != 0 || event_add(&bot->on_stderr, NULL) != 0 ||
        event_add(&bot->on_exit, NULL) != 0)
        return -1;
    bot->is_output_watched = true;
    bot_limits_start(bot);
    return 0;
}

static char *explain(const struct spawn_order *order, const struct spawned *spawned)
{
    char buffer[PROBLEM_BYTES];
    struct text words;

    text_start(&words, buffer, sizeof buffer);
    spawn_explain(&words, order, spawned);
    return xstrdup(buffer);
}

static struct bot *bot_of(const struct spawned *spawned, const struct bot_spec *spec)
{
    struct bot *bot = xcalloc(1, sizeof *bot);

    bot->pid = spawned->pid;
    bot->pidfd = spawned->pidfd;
    bot->stdin_fd = spawned->stdin_fd;
    bot->stdout_fd = spawned->stdout_fd;
    bot->stderr_fd = spawned->stderr_fd;
    bot->jail = spawned->jail;
    bot->memory_mb = spec->memory_mb;
    if (bot->jail != NULL && bot->memory_mb == 0)
        bot->memory_mb = sandbox_limits_default.memory_mb;
    bot->timer.rule = spec->clock;
    bot->timer.pid = spawned->pid;
    stderr_capture_start(&bot->capture, spec->shows_stderr ? spec->label : NULL);
    return bot;
}

struct bot *bot_start(struct event_base *base, const struct bot_spec *spec)
{
    struct spawn_order order = {
        .argv = spec->argv,
        .folder = spec->folder,
        .environment = spec->environment,
        .memory_mb = spec->memory_mb,
        .cpu = spec->cpu,
        .sandbox = spec->sandbox,
    };
    struct spawned spawned;
    struct bot *bot;
    int error;

    if (spawn_start(&spawned, &order) != 0)
        return NULL;
    /* Writing to a bot that has ended must not end us. */
    (void)signal(SIGPIPE, SIG_IGN);
    loop_lag_start();
    bot = bot_of(&spawned, spec);
    assign_events(bot, base);
    if (spawned.error != 0) {
        bot->start_problem = explain(&order, &spawned);
    } else if (watch(bot) != 0) {
        error = errno;
        bot_free(bot);
        errno = error;
        return NULL;
    }
    return bot;
}

void bot_flush(struct bot *bot)
{
    if (bot->stdin_fd >= 0)
        (void)write_buffer_write(&bot->output, bot->stdin_fd);
}

void bot_tell(struct bot *bot, const char *bytes, size_t length)
{
    if (bot->stdin_fd < 0 || bot->is_overfull)
        return;
    write_buffer_add(&bot->output, bytes, length);
    if (write_buffer_length(&bot->output) > WRITE_BUFFER_FLUSH_BYTES)
        bot_flush(bot);
    if (write_buffer_length(&bot->output) > WRITE_BUFFER_MAX_BYTES) {
        write_buffer_clear(&bot->output);
        bot->is_overfull = true;
    }
}

void bot_ask(struct bot *bot, int64_t limit_us, bool is_hello, const struct bot_listener *listener)
{
    bot->listener = *listener;
    bot->is_hello = is_hello;
    bot->lines = 0;
    bot->timer.limit_us = limit_us;
    if (bot_fault_before_asking(bot))
        bot_question_open(bot);
}

static bool has_something_to_read(int fd)
{
    struct pollfd entry = {.fd = fd, .events = POLLIN};

    return poll(&entry, 1, 0) != 0;
}

bool bot_is_ready(const struct bot *bot)
{
    return bot->phase == BOT_IDLE && bot->pid > 0 && !bot->is_ended && !bot->is_overfull &&
           !bot->is_output_over && bot->stdin_fd >= 0 && write_buffer_length(&bot->output) == 0 &&
           line_buffer_rest(&bot->input).length == 0 && !has_something_to_read(bot->stdout_fd) &&
           !has_something_to_read(bot->pidfd);
}

void bot_forget_stderr(struct bot *bot)
{
    stderr_capture_forget(&bot->capture);
}

const char *bot_stderr(const struct bot *bot, size_t *length)
{
    return stderr_capture_text(&bot->capture, length);
}

const char *bot_stderr_tail(const struct bot *bot, size_t most)
{
    return stderr_capture_last(&bot->capture, most);
}

const char *bot_scratch(const struct bot *bot)
{
    return bot->jail != NULL ? jail_scratch(bot->jail) : NULL;
}

const char *bot_ending(const struct bot *bot)
{
    return bot->is_ended ? bot->ending : NULL;
}
