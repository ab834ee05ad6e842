/* Names of signals are ours and not those of the C library, which may differ from one system to
 * another, so that a log can be verified elsewhere. Whether words are known is decided by writing
 * them again. */

#include "sandbox/process_end.h"

#include "sandbox/sandbox.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_STATUS_MAX 255
#define FIRST_REAL_TIME 34 /* those below it belong to the C library */
#define LAST_SIGNAL 64
#define WORDS_BYTES 100

static const char *const signals[] = {
    [SIGHUP] = "Hangup",
    [SIGINT] = "Interrupt",
    [SIGQUIT] = "Quit",
    [SIGILL] = "Illegal instruction",
    [SIGTRAP] = "Trace/breakpoint trap",
    [SIGABRT] = "Aborted",
    [SIGBUS] = "Bus error",
    [SIGFPE] = "Floating point exception",
    [SIGKILL] = "Killed",
    [SIGUSR1] = "User defined signal 1",
    [SIGSEGV] = "Segmentation fault",
    [SIGUSR2] = "User defined signal 2",
    [SIGPIPE] = "Broken pipe",
    [SIGALRM] = "Alarm clock",
    [SIGTERM] = "Terminated",
    [SIGSTKFLT] = "Stack fault",
    [SIGCHLD] = "Child exited",
    [SIGCONT] = "Continued",
    [SIGSTOP] = "Stopped (signal)",
    [SIGTSTP] = "Stopped",
    [SIGTTIN] = "Stopped (tty input)",
    [SIGTTOU] = "Stopped (tty output)",
    [SIGURG] = "Urgent I/O condition",
    [SIGXCPU] = "CPU time limit exceeded",
    [SIGXFSZ] = "File size limit exceeded",
    [SIGVTALRM] = "Virtual timer expired",
    [SIGPROF] = "Profiling timer expired",
    [SIGWINCH] = "Window changed",
    [SIGIO] = "I/O possible",
    [SIGPWR] = "Power failure",
    [SIGSYS] = "Bad system call",
};

/* Each with the limits that there are, or ever were. */
static const struct {
    const char *before;
    const char *after;
    enum sandbox_part part;
    long least;
    long most;
} stops[PROCESS_END_STOP_COUNT] = {
    [PROCESS_END_MEMORY] = {"it was stopped: it used more than ", " MB of memory", SANDBOX_MEMORY,
                            16, 65536},
    [PROCESS_END_SCRATCH_BYTES] = {"it was stopped: its scratch folder holds more than ", " MB",
                                   SANDBOX_SCRATCH, 64, 64},
    [PROCESS_END_SCRATCH_ENTRIES] = {"it was stopped: its scratch folder holds more than ",
                                     " files", SANDBOX_SCRATCH, 10000, 10000},
    [PROCESS_END_SCRATCH_DEPTH] = {"it was stopped: its scratch folder holds more than ",
                                   " folders in each other", SANDBOX_SCRATCH, 64, 64},
};

void process_end_write(struct text *text, bool is_exit, int status)
{
    if (is_exit)
        text_printf(text, "exit status %d", status);
    else if (status > 0 && (size_t)status < ARRAY_LEN(signals) && signals[status] != NULL)
        text_printf(text, "signal %d (%s)", status, signals[status]);
    else if (status >= FIRST_REAL_TIME)
        text_printf(text, "signal %d (Real-time signal %d)", status, status - FIRST_REAL_TIME);
    else
        text_printf(text, "signal %d (Unknown signal %d)", status, status);
}

static bool is_written(const char *ending, bool is_exit, int status)
{
    char words[WORDS_BYTES];
    struct text text;

    text_start(&text, words, sizeof words);
    process_end_write(&text, is_exit, status);
    return strcmp(words, ending) == 0;
}

bool process_end_is_known(const char *ending)
{
    int number = -1;

    if (sscanf(ending, "exit status %3d", &number) == 1)
        return number >= 0 && number <= EXIT_STATUS_MAX && is_written(ending, true, number);
    return sscanf(ending, "signal %2d", &number) == 1 && number > 0 && number <= LAST_SIGNAL &&
           is_written(ending, false, number);
}

void process_end_write_stop(struct text *text, enum process_end_stop stop, long most)
{
    text_printf(text, "%s%ld%s", stops[stop].before, most, stops[stop].after);
}

/* Whether a process with those parts of a sandbox can be stopped for that. */
static bool is_limited(enum process_end_stop stop, const char *enforced)
{
    return sandbox_lists(enforced, stops[stop].part) ||
           (enforced[0] == '\0' && stop == PROCESS_END_MEMORY);
}

size_t process_end_find_stop(const char *message, const char *enforced)
{
    for (enum process_end_stop stop = 0; stop < PROCESS_END_STOP_COUNT; stop++) {
        size_t length = strlen(stops[stop].before);
        struct span digits;
        long number;

        if (!is_limited(stop, enforced) || strncmp(message, stops[stop].before, length) != 0)
            continue;
        digits = (struct span){message + length, strspn(message + length, "0123456789")};
        if (span_read_number(digits, stops[stop].least, stops[stop].most, &number) != 0 ||
            message[length] == '0')
            continue;
        length += digits.length;
        if (strncmp(message + length, stops[stop].after, strlen(stops[stop].after)) == 0)
            return length + strlen(stops[stop].after);
    }
    return 0;
}
