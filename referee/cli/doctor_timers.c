/* How late timers fire on a busy machine. A match keeps at most one core busy, because one bot
 * thinks at a time; so one computing process stands for each match. The event loop is like the
 * one that times bots. */

#include "bot/loop_lag.h"
#include "cli/cmd_doctor.h"

#include "base/clock.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define BUSY_MAX 64
#define TIMERS 100
#define TIMER_US 5000

struct measuring {
    struct event_base *base;
    struct event *timer;
    struct histogram histogram;
    int64_t worst_us;
    int64_t due_us;
    unsigned count;
};

static void set_timer(struct measuring *measuring)
{
    struct timeval wait = {.tv_usec = TIMER_US};

    measuring->due_us = clock_now_us() + TIMER_US;
    (void)event_add(measuring->timer, &wait);
}

static void on_time(evutil_socket_t fd, short what, void *context)
{
    struct measuring *measuring = context;
    int64_t late_us = clock_now_us() - measuring->due_us;

    (void)fd;
    (void)what;
    histogram_add(&measuring->histogram, late_us);
    if (late_us > measuring->worst_us)
        measuring->worst_us = late_us;
    if (++measuring->count < TIMERS)
        set_timer(measuring);
}

static int run_timers(struct doctor_timers *timers)
{
    struct event_config *config = event_config_new();
    struct measuring measuring = {0};

    if (config == NULL)
        return -1;
    (void)event_config_set_flag(config, EVENT_BASE_FLAG_PRECISE_TIMER);
    measuring.base = event_base_new_with_config(config);
    event_config_free(config);
    if (measuring.base == NULL)
        return -1;
    measuring.timer = evtimer_new(measuring.base, on_time, &measuring);
    set_timer(&measuring);
    (void)event_base_dispatch(measuring.base);
    event_free(measuring.timer);
    event_base_free(measuring.base);
    timers->median_us = histogram_quantile(&measuring.histogram, 0.5);
    timers->p99_us = histogram_quantile(&measuring.histogram, 0.99);
    if (timers->p99_us > measuring.worst_us)
        timers->p99_us = measuring.worst_us;
    timers->worst_us = measuring.worst_us;
    return 0;
}

static pid_t start_busy(void)
{
    pid_t parent = getpid();
    pid_t pid = fork();

    if (pid != 0)
        return pid;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == parent)
        for (volatile unsigned i = 0; i < 1000000; i++)
            ;
    _exit(0);
}

int doctor_measure(unsigned busy, struct doctor_timers *timers)
{
    pid_t pids[BUSY_MAX];
    unsigned started = 0;
    int result = -1;

    *timers = (struct doctor_timers){.busy = busy};
    while (started < busy && started < BUSY_MAX && (pids[started] = start_busy()) > 0)
        started++;
    loop_lag_start();
    if (started == busy)
        result = run_timers(timers);
    for (unsigned i = 0; i < started; i++) {
        (void)kill(pids[i], SIGKILL);
        while (waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
            ;
    }
    return result;
}
