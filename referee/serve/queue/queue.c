/* The office itself: its folder, the ends of works, and what its owner wants of it.
 *
 * Nothing about the queue is on the disk but the works themselves and their ends. So after whatever
 * death of ours, all that is not over is queued again, and its own store knows how far it came. */

#include "serve/office.h"

#include "base/core.h"
#include "base/memory.h"
#include "base/message.h"
#include "serve/office_private.h"
#include "tournament/folder.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RETRY_S 2
#define DEATHS_MAX 3 /* of the process of one work */

static void on_retry(evutil_socket_t fd, short what, void *context);

/* Opening and closing. */

static int open_folder(struct office *office, struct text *problem)
{
    char *folder;

    if (folder_make(office->setup.folder) != 0) {
        text_add(problem, office->setup.folder);
        text_add(problem, ": ");
        text_add(problem, strerror(errno));
        return -1;
    }
    folder = realpath(office->setup.folder, NULL);
    office->folder = folder != NULL ? folder : xstrdup(office->setup.folder);
    office->lock_fd = folder_lock(office->folder, problem);
    return office->lock_fd >= 0 ? 0 : -1;
}

static int open_ledger(struct office *office, struct text *problem)
{
    char *path = folder_join(office->folder, "ledger.ndjson");

    office->ledger = ledger_open(path, problem);
    free(path);
    return office->ledger != NULL ? 0 : -1;
}

struct office *office_new(const struct office_setup *setup, struct text *problem)
{
    struct office *office = xcalloc(1, sizeof *office);
    struct timeval at_once = {0};
    int cores[CORE_MAX];

    office->setup = *setup;
    office->lock_fd = -1;
    if (office->setup.slots == 0)
        office->setup.slots = core_list(cores);
    if (office->setup.slots == 0)
        office->setup.slots = 1;
    office->hub = hub_new();
    office->on_retry = evtimer_new(setup->base, on_retry, office);
    if (open_folder(office, problem) != 0 || open_ledger(office, problem) != 0) {
        office_free(office);
        return NULL;
    }
    (void)event_add(office->on_retry, &at_once);
    return office;
}

void office_free(struct office *office)
{
    if (office == NULL)
        return;
    while (office->errands != NULL) {
        struct errand *first = office->errands;

        office->errands = first->next;
        errand_free(first);
    }
    for (unsigned i = 0; i < office->turn_count; i++)
        free(office->turns[i].user);
    free(office->turns);
    event_free(office->on_retry);
    ledger_free(office->ledger);
    hub_free(office->hub);
    if (office->lock_fd >= 0)
        close(office->lock_fd);
    free(office->folder);
    free(office);
}

const struct ledger *office_ledger(const struct office *office)
{
    return office->ledger;
}

struct hub *office_hub(const struct office *office)
{
    return office->hub;
}

bool office_is_draining(const struct office *office)
{
    return office->is_draining;
}

bool office_has_remote(const struct office *office)
{
    return office->setup.socket != NULL;
}

char *office_work_path(const struct office *office, unsigned number, const char *name)
{
    size_t size = strlen(office->folder) + strlen(name) + 24;
    char *path = xcalloc(size, 1);

    snprintf(path, size, "%s/works/%u/%s", office->folder, number, name);
    return path;
}

/* Ends. */

void office_retry_later(struct office *office)
{
    struct timeval pause = {.tv_sec = RETRY_S};

    if (!evtimer_pending(office->on_retry, NULL))
        (void)event_add(office->on_retry, &pause);
}

/* What cannot be written now is tried again: until then it is only in our memory and in the stores. */
static void write_ledger(struct office *office)
{
    if (ledger_write(office->ledger) == 0)
        return;
    message_say("the ledger could not be written: %s", strerror(errno));
    office_retry_later(office);
}

void office_end_work(struct office *office, unsigned number, enum work_state state,
                     const char *words, const struct ledger_score *scores)
{
    ledger_end_work(office->ledger, number, state, words, scores);
    write_ledger(office);
    hub_tell(office->hub, number, "over %s%s%s", work_state_name(state),
             words[0] != '\0' ? " " : "", words);
}

static void on_retry(evutil_socket_t fd, short what, void *context)
{
    struct office *office = context;

    (void)fd;
    (void)what;
    write_ledger(office);
    office_begin_works(office);
}

void office_look(struct office *office)
{
    struct timeval at_once = {0};

    (void)event_add(office->on_retry, &at_once);
}

/* The last line that the process wrote to stderr. */
static void read_last_words(const struct office *office, unsigned number, char words[300])
{
    char *path = office_work_path(office, number, "words");
    FILE *file = fopen(path, "re");
    char line[300];

    words[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0')
            memcpy(words, line, sizeof line);
    }
    if (file != NULL)
        fclose(file);
    free(path);
}

/* How a work stands after its process has ended. WORK_QUEUED: it is to go on. */
static enum work_state judge(struct errand *errand, int status, char words[300])
{
    struct office *office = errand->office;
    bool is_stopped = strcmp(errand->end, "stopped") == 0;

    words[0] = '\0';
    if (errand->is_cancelled)
        return WORK_CANCELLED;
    if (strcmp(errand->end, "finished") == 0)
        return WORK_DONE;
    if (errand->stops > 0)
        return WORK_QUEUED;
    if (strcmp(errand->end, "paused") == 0) {
        snprintf(words, 300, "some matches were void time and again and are missing");
        return WORK_PAUSED;
    }
    if (is_stopped || WIFSIGNALED(status)) {
        ledger_count_death(office->ledger, errand->number);
        snprintf(words, 300, "its process was ended by somebody %d times", DEATHS_MAX);
        return ledger_work(office->ledger, errand->number)->deaths < DEATHS_MAX ? WORK_QUEUED
                                                                                : WORK_FAILED;
    }
    read_last_words(office, errand->number, words);
    return WORK_FAILED;
}

static void cut_out(struct office *office, const struct errand *errand)
{
    struct errand **link = &office->errands;

    while (*link != errand)
        link = &(*link)->next;
    *link = errand->next;
}

void office_end_errand(struct office *office, struct errand *errand, int status)
{
    char words[300];
    enum work_state state = judge(errand, status, words);
    bool has_scores = errand->scored == errand->plan->bot_count;

    cut_out(office, errand);
    if (state == WORK_QUEUED)
        ledger_set_state(office->ledger, errand->number, WORK_QUEUED);
    else
        office_end_work(office, errand->number, state, words, has_scores ? errand->scores : NULL);
    errand_free(errand);
    office_begin_works(office);
}

/* What the owner wants. */

static struct errand *find_errand(const struct office *office, unsigned number)
{
    struct errand *errand = office->errands;

    while (errand != NULL && errand->number != number)
        errand = errand->next;
    return errand;
}

int office_cancel(struct office *office, const struct caller *caller, unsigned number,
                  struct denial *denial)
{
    const struct work *work = ledger_work(office->ledger, number);
    struct errand *errand = find_errand(office, number);

    if (work == NULL)
        return deny(denial, DENIAL_NO_WORK, "there is no work %u", number);
    if (!caller->is_owner && strcmp(work->user, caller->user) != 0)
        return deny(denial, DENIAL_FORBIDDEN, "work %u is of %s", number, work->user);
    if (work_is_over(work->state))
        return deny(denial, DENIAL_TOO_LATE, "work %u is over: %s", number,
                    work_state_name(work->state));
    if (errand == NULL) {
        office_end_work(office, number, WORK_CANCELLED, "", NULL);
    } else if (!errand->is_cancelled) {
        errand->is_cancelled = true;
        errand_stop(errand, true);
    }
    return 0;
}

void office_drain(struct office *office, bool is_urgent)
{
    struct timeval at_once = {0};

    if (!office->is_draining)
        hub_tell(office->hub, 0, "ending");
    office->is_draining = true;
    for (struct errand *errand = office->errands; errand != NULL; errand = errand->next)
        errand_stop(errand, is_urgent);
    (void)event_add(office->on_retry, &at_once);
}
