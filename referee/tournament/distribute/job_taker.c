/* At any moment it is in one of three states: it has asked for a job and waits for the answer; it
 * sleeps, and the server will wake it when there is a job; or it rests, because it wants none. What
 * a server sends in another state was not asked for and is ignored, so that it cannot make us take
 * more jobs than we want. */

#include "tournament/distribute/job_taker.h"

#include "base/memory.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum taker_state {
    TAKER_RESTS,
    TAKER_ASKS,
    TAKER_SLEEPS,
};

struct job_taker {
    struct gearman_link *link;
    struct job_taker_observer observer;
    char functions[JOB_TAKER_FUNCTIONS_MAX][JOB_TAKER_FUNCTION_MAX];
    unsigned function_count;
    enum taker_state state;
};

static void ask(struct job_taker *taker)
{
    if (!gearman_link_is_up(taker->link))
        return;
    if (!taker->observer.wants_job(taker->observer.context)) {
        taker->state = TAKER_RESTS;
        return;
    }
    taker->state = TAKER_ASKS;
    gearman_link_send(taker->link, GEARMAN_GRAB_JOB_UNIQ, NULL, 0);
}

static void take(struct job_taker *taker, const struct gearman_packet *packet)
{
    char handle[JOB_TAKER_HANDLE_MAX + 1];
    struct text text;

    text_start(&text, handle, sizeof handle);
    text_add_bytes(&text, packet->arguments[0].start, packet->arguments[0].length);
    /* A server that gives what was not asked for would give without end. */
    if (taker->state != TAKER_ASKS)
        return;
    taker->state = TAKER_RESTS;
    if (!text.is_cut)
        taker->observer.on_job(taker->observer.context, taker, handle, packet->arguments[3]);
    if (taker->state == TAKER_RESTS)
        ask(taker);
}

static void on_packet(void *context, const struct gearman_packet *packet)
{
    struct job_taker *taker = context;

    if (packet->type == GEARMAN_JOB_ASSIGN_UNIQ && taker->state == TAKER_ASKS) {
        take(taker, packet);
    } else if (packet->type == GEARMAN_NO_JOB && taker->state == TAKER_ASKS) {
        taker->state = TAKER_SLEEPS;
        gearman_link_send(taker->link, GEARMAN_PRE_SLEEP, NULL, 0);
    } else if (packet->type == GEARMAN_NOOP && taker->state == TAKER_SLEEPS) {
        ask(taker);
    }
}

static void on_up(void *context)
{
    struct job_taker *taker = context;

    for (unsigned i = 0; i < taker->function_count; i++) {
        struct span name = span_of(taker->functions[i]);

        gearman_link_send(taker->link, GEARMAN_CAN_DO, &name, 1);
    }
    taker->observer.on_up(taker->observer.context, taker);
    ask(taker);
}

static void on_down(void *context, const char *why)
{
    struct job_taker *taker = context;

    taker->state = TAKER_RESTS;
    taker->observer.on_lost(taker->observer.context, taker, why);
}

struct job_taker *job_taker_new(struct event_base *base, const char *address,
                                const char functions[][JOB_TAKER_FUNCTION_MAX], unsigned count,
                                const struct job_taker_observer *observer)
{
    struct job_taker *taker = xcalloc(1, sizeof *taker);
    struct gearman_link_observer watch = {on_up, on_down, on_packet, taker, JOB_TAKER_PACKET_MAX};

    taker->observer = *observer;
    taker->function_count = count;
    memcpy(taker->functions, functions, count * sizeof *taker->functions);
    taker->link = gearman_link_new(base, address, &watch);
    return taker;
}

void job_taker_free(struct job_taker *taker)
{
    if (taker == NULL)
        return;
    gearman_link_free(taker->link);
    free(taker);
}

const char *job_taker_address(const struct job_taker *taker)
{
    return gearman_link_address(taker->link);
}

bool job_taker_is_up(const struct job_taker *taker)
{
    return gearman_link_is_up(taker->link);
}

size_t job_taker_waiting(const struct job_taker *taker)
{
    return gearman_link_waiting(taker->link);
}

void job_taker_wake(struct job_taker *taker)
{
    if (taker->state == TAKER_RESTS)
        ask(taker);
}

void job_taker_send(struct job_taker *taker, const char *handle, enum gearman_type type,
                    struct span data)
{
    struct span arguments[] = {span_of(handle), data};

    gearman_link_send(taker->link, type, arguments, type == GEARMAN_WORK_FAIL ? 1 : 2);
}
