/* The handler counts and wakes the loop through a pipe. It is not libevent's, which would catch
 * signals only while there is a loop: folders are made before it and removed after it.
 *
 * A child that was forked has the handler too until it runs another program, and a terminal sends
 * its signals to all of us; only the process that called interrupt_catch() counts them. */

#include "cli/interrupt.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static volatile sig_atomic_t count;
static pid_t owner; /* 0 before interrupt_catch() */
static int ends[2] = {-1, -1};

struct interrupt {
    struct event_base *base;
    struct event *on_read;
    interrupt_fn *on_signal;
    void *context;
};

static void handle(int number)
{
    int error = errno;

    (void)number;
    if (getpid() != owner)
        return;
    count++;
    /* If the pipe is full the loop is about to wake anyway. */
    if (write(ends[1], "", 1) < 0)
        errno = error;
}

static bool is_ignored(int number)
{
    struct sigaction before;

    return sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
}

/* Calls that a signal interrupts go on, so that nothing is mistaken for a failure. */
void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};

    if (owner == getpid() || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    owner = getpid();
    count = 0;
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        if (signals[i] != SIGHUP || !is_ignored(SIGHUP))
            (void)sigaction(signals[i], &action, NULL);
    }
}

void interrupt_release(void)
{
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        if (!is_ignored(signals[i]))
            (void)signal(signals[i], SIG_DFL);
    }
}

unsigned interrupt_count(void)
{
    return (unsigned)count;
}

static void on_read(evutil_socket_t fd, short what, void *context)
{
    struct interrupt *interrupt = context;
    char bytes[64];

    (void)what;
    while (read(fd, bytes, sizeof bytes) > 0)
        ;
    if (interrupt->on_signal != NULL)
        interrupt->on_signal(interrupt->context, interrupt_count());
    else
        event_base_loopbreak(interrupt->base);
}

struct interrupt *interrupt_watch(struct event_base *base, interrupt_fn *on_signal, void *context)
{
    struct interrupt *interrupt = xcalloc(1, sizeof *interrupt);

    interrupt->base = base;
    interrupt->on_signal = on_signal;
    interrupt->context = context;
    interrupt->on_read = event_new(base, ends[0], EV_READ | EV_PERSIST, on_read, interrupt);
    if (ends[0] >= 0)
        (void)event_add(interrupt->on_read, NULL);
    return interrupt;
}

void interrupt_free(struct interrupt *interrupt)
{
    if (interrupt == NULL)
        return;
    event_free(interrupt->on_read);
    free(interrupt);
}
