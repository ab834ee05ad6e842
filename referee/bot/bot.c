/* The life of a bot, which is one object: its process, six events and the question that is
 * open, if one is. It is idle until it is asked, and idle again before the listener gets its
 * answer, so that the listener can ask the next question or free the bot.
 *
 * What a bot does between questions is not judged then. Its output is read once, so that the pipe
 * is not polled in vain, and stays in the buffer until the next question, which it ends as unasked.
 * Nothing is read when a question is opened: a line that arrives later than that is passed to the
 * listener, and since it cannot have the number of the new question the listener finds it unasked
 * too. So both orders end in the same way, whatever the load of the machine. The hello is the
 * exception, because it may come before it is asked for.
 *
 * A bot that was let go is not asked anything any more, but its process is still there: it gets the
 * rest of its lines, the end of its input and some time to end, and then a signal that it cannot
 * refuse. What it still writes is read, so that it is not held up, and dropped. `on_left` is always
 * called from the loop, because bot_leave() may be called by a listener that this very bot
 * called. */

#include "bot/bot_private.h"

#include "base/clock.h"
#include "base/memory.h"
#include "bot/loop_lag.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROBLEM_BYTES 512
#define STDERR_PIECE_BYTES ((size_t)64 * 1024)

void bot_enter(struct bot *bot, enum bot_phase phase)
{
    if (bot->phase == BOT_WRITING && phase != BOT_WRITING)
        (void)event_del(&bot->on_room);
    else if (bot->phase != BOT_WRITING && phase == BOT_WRITING)
        (void)event_add(&bot->on_room, NULL);
    bot->phase = phase;
}

void bot_arm(struct bot *bot, int64_t at_us, int64_t now_us)
{
    int64_t wait_us = at_us > now_us ? at_us - now_us : 0;
    struct timeval wait = {.tv_sec = wait_us / 1000000, .tv_usec = wait_us % 1000000};

    if (bot->armed_us != 0 && bot->armed_us <= at_us)
        return;
    (void)event_add(&bot->on_time, &wait);
    bot->armed_us = at_us;
}

static void on_stderr(evutil_socket_t fd, short what, void *context)
{
    struct bot *bot = context;

    (void)fd;
    (void)what;
    if (process_read_stderr(&bot->process, STDERR_PIECE_BYTES))
        return;
    (void)event_del(&bot->on_stderr);
    process_close_fd(&bot->process.stderr_fd);
}

static void end_leaving(struct bot *bot)
{
    bot->on_left(bot->left_context, bot);
    bot_free(bot);
}

void bot_leaving_time(struct bot *bot)
{
    if (process_is_running(&bot->process))
        process_kill(&bot->process);
    else
        end_leaving(bot);
}

void bot_leaving_output(struct bot *bot)
{
    bot->input.start = bot->input.end;
    if (line_buffer_read(&bot->input, bot->process.stdout_fd) == 0)
        (void)event_del(&bot->on_output);
}

static void on_exit_event(evutil_socket_t fd, short what, void *context)
{
    struct bot *bot = context;

    (void)fd;
    (void)what;
    (void)event_del(&bot->on_exit);
    (void)event_del(&bot->on_limits);
    process_reap(&bot->process);
    if (bot->phase == BOT_LEAVING)
        end_leaving(bot);
    else
        bot_question_process_ended(bot);
}

/* The bot is only killed here; its next question, or the one that is open, finds it gone. */
static void on_limits(evutil_socket_t fd, short what, void *context)
{
    struct bot *bot = context;

    (void)fd;
    (void)what;
    if (process_check_limits(&bot->process))
        (void)event_del(&bot->on_limits);
    else
        bot_rest_check(bot);
}

/* Events without a descriptor stay valid, so that they can be deleted whatever became of the
 * bot. */
static void assign_events(struct bot *bot, struct event_base *base)
{
    const struct process *process = &bot->process;

    (void)event_assign(&bot->on_output, base, process->stdout_fd, EV_READ | EV_PERSIST,
                       bot_question_on_output, bot);
    (void)event_assign(&bot->on_room, base, process->stdin_fd, EV_WRITE | EV_PERSIST,
                       bot_question_on_room, bot);
    (void)event_assign(&bot->on_stderr, base, process->stderr_fd, EV_READ | EV_PERSIST, on_stderr,
                       bot);
    (void)event_assign(&bot->on_exit, base, process->pidfd, EV_READ | EV_PERSIST, on_exit_event,
                       bot);
    (void)evtimer_assign(&bot->on_time, base, bot_question_on_time, bot);
    (void)event_assign(&bot->on_limits, base, -1, EV_PERSIST, on_limits, bot);
}

/* Returns 0, or -1 with errno: the kernel watches no more descriptors for us. A bot that is not
 * heard would be late. */
static int watch(struct bot *bot)
{
    struct timeval wait = {.tv_usec = PROCESS_CHECK_MS * 1000};

    if (event_add(&bot->on_output, NULL) != 0 || event_add(&bot->on_stderr, NULL) != 0 ||
        event_add(&bot->on_exit, NULL) != 0)
        return -1;
    bot->is_output_watched = true;
    if (process_has_limits(&bot->process) || !bot->may_ponder)
        (void)event_add(&bot->on_limits, &wait);
    return 0;
}

unsigned bot_cores(int cpu)
{
    return cpu >= 0 ? 1 : (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

struct bot *bot_start(struct event_base *base, const struct bot_spec *spec)
{
    static const char *const nothing[] = {"", NULL};
    struct process_spec process = {
        .argv = spec->problem == NULL ? spec->argv : nothing,
        .folder = spec->folder,
        .is_folder_shared = spec->is_folder_shared,
        .environment = spec->environment,
        .memory_mb = spec->memory_mb,
        .cpu = spec->cpu,
        .sandbox = spec->sandbox,
        .stderr_label = spec->shows_stderr ? spec->label : NULL,
    };
    struct bot *bot = xcalloc(1, sizeof *bot);
    char buffer[PROBLEM_BYTES];
    struct text problem;
    int error;

    text_start(&problem, buffer, sizeof buffer);
    if (process_start(&bot->process, &process, &problem) != 0) {
        error = errno;
        free(bot);
        errno = error;
        return NULL;
    }
    /* Writing to a bot that has ended must not end us. */
    (void)signal(SIGPIPE, SIG_IGN);
    loop_lag_start();
    move_timer_init(&bot->timer, spec->clock, &bot->process, bot_cores(spec->cpu));
    bot->may_ponder = spec->may_ponder;
    bot->label = xstrdup(spec->label != NULL ? spec->label : process.argv[0]);
    bot_rest_begin(bot);
    assign_events(bot, base);
    if (bot->process.pid < 0) {
        bot->start_problem = xstrdup(spec->problem != NULL ? spec->problem : buffer);
    } else if (watch(bot) != 0) {
        error = errno;
        bot_free(bot);
        errno = error;
        return NULL;
    }
    return bot;
}

static bool has_something_to_read(int fd)
{
    struct pollfd entry = {.fd = fd, .events = POLLIN};

    return poll(&entry, 1, 0) != 0;
}

bool bot_is_ready(const struct bot *bot)
{
    const struct process *process = &bot->process;

    return bot->phase == BOT_IDLE && process_is_running(process) && !bot->is_overfull &&
           !bot->is_output_over && process->stdin_fd >= 0 &&
           write_buffer_length(&bot->output) == 0 && line_buffer_rest(&bot->input).length == 0 &&
           !has_something_to_read(process->stdout_fd) && !has_something_to_read(process->pidfd);
}

void bot_leave(struct bot *bot, long grace_ms, bot_left_fn *on_left, void *context)
{
    int64_t now_us = clock_now_us();

    bot_rest_wake(bot);
    bot_flush(bot);
    bot_enter(bot, BOT_LEAVING);
    bot->on_left = on_left;
    bot->left_context = context;
    bot->timer.next_look_us = now_us + grace_ms * 1000;
    (void)event_del(&bot->on_output);
    process_close_fd(&bot->process.stdin_fd);
    if (!process_is_running(&bot->process)) {
        bot->timer.next_look_us = 0;
        event_active(&bot->on_time, EV_TIMEOUT, 0);
    } else if (grace_ms <= 0) {
        process_kill(&bot->process);
    } else {
        if (!bot->is_output_over)
            (void)event_add(&bot->on_output, NULL);
        bot_arm(bot, bot->timer.next_look_us, now_us);
    }
}

void bot_free(struct bot *bot)
{
    if (bot == NULL)
        return;
    (void)event_del(&bot->on_output);
    (void)event_del(&bot->on_room);
    (void)event_del(&bot->on_stderr);
    (void)event_del(&bot->on_exit);
    (void)event_del(&bot->on_time);
    (void)event_del(&bot->on_limits);
    bot_rest_end(bot);
    process_free(&bot->process);
    write_buffer_clear(&bot->output);
    free(bot->start_problem);
    free(bot->label);
    free(bot);
}

/* The loop may have found the answer before it found what the bot wrote to stderr earlier. */
void bot_forget_stderr(struct bot *bot)
{
    process_drain_stderr(&bot->process);
    stderr_capture_forget(&bot->process.capture);
}

const char *bot_stderr(struct bot *bot, size_t *length)
{
    process_drain_stderr(&bot->process);
    return stderr_capture_text(&bot->process.capture, length);
}

const char *bot_stderr_tail(struct bot *bot, size_t most)
{
    process_drain_stderr(&bot->process);
    return stderr_capture_last(&bot->process.capture, most);
}

const char *bot_ending(const struct bot *bot)
{
    return bot->process.ending;
}
