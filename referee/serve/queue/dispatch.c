/* The queue. At most one tournament is played at a time, on all slots, because it is long and has work
 * for all of them; matches are played beside it, on half as many slots, so that nobody waits a night for
 * a match, or without it on all. The fair clock makes that harmless for bots. Among users the one is next
 * who was not served for the longest time; among the works of one user the first. */

#include "base/core.h"
#include "base/memory.h"
#include "base/message.h"
#include "serve/office_private.h"

#include <string.h>

/* Whose turn it is. */

static struct turn *turn_of(struct office *office, const char *user)
{
    for (unsigned i = 0; i < office->turn_count; i++) {
        if (strcmp(office->turns[i].user, user) == 0)
            return &office->turns[i];
    }
    office->turns = xrealloc(office->turns, (office->turn_count + 1) * sizeof *office->turns);
    office->turns[office->turn_count] = (struct turn){.user = xstrdup(user)};
    return &office->turns[office->turn_count++];
}

static bool is_here(const struct office *office, const struct work *work)
{
    for (unsigned i = 0; i < work->bot_count; i++) {
        const struct ledger_bot *bot = ledger_bot(office->ledger, work->bots[i]);

        if (bot != NULL && bot->command == NULL &&
            (office->setup.is_connected == NULL ||
             !office->setup.is_connected(office->setup.context, bot->name)))
            return false;
    }
    return true;
}

/* The next of its kind, or NULL. */
static const struct work *next_work(struct office *office, bool is_match)
{
    unsigned left = ledger_waiting(office->ledger, NULL);
    const struct work *best = NULL;
    unsigned long best_served = 0;

    for (unsigned number = ledger_work_count(office->ledger); number > 0 && left > 0; number--) {
        const struct work *work = ledger_work(office->ledger, number);
        unsigned long served;

        if (work_is_over(work->state))
            continue;
        left--;
        if (work->state != WORK_QUEUED || work->is_match != is_match || !is_here(office, work))
            continue;
        served = turn_of(office, work->user)->served;
        if (best == NULL || served <= best_served) {
            best = work;
            best_served = served;
        }
    }
    return best;
}

static unsigned count_errands(const struct office *office, bool is_match)
{
    unsigned count = 0;

    for (const struct errand *errand = office->errands; errand != NULL; errand = errand->next) {
        if (errand->is_match == is_match)
            count++;
    }
    return count;
}

static bool is_core_taken(const struct office *office, int core)
{
    const struct errand *errand = office->errands;

    while (errand != NULL && errand->core != core)
        errand = errand->next;
    return errand != NULL;
}

/* A core on which no match is kept, for the next one; -1 if there is none. */
static int free_core(const struct office *office)
{
    int cores[CORE_MAX];
    unsigned count = core_list(cores);

    while (count > 0 && is_core_taken(office, cores[count - 1]))
        count--;
    return count > 0 ? cores[count - 1] : -1;
}

/* Beginning. */

/* Returns false if nothing can be started now. */
static bool begin_work(struct office *office, const struct work *work)
{
    struct denial denial;
    struct errand *errand = errand_start(office, work, work->is_match ? 1 : office->setup.slots,
                                         work->is_match ? free_core(office) : -1, &denial);

    if (errand == NULL && denial.code == DENIAL_DISK) {
        message_say("work %u cannot begin: %s", work->number, denial.words);
        office_retry_later(office);
        return false;
    }
    turn_of(office, work->user)->served = ++office->served;
    if (errand == NULL) {
        office_end_work(office, work->number, WORK_FAILED, denial.words, NULL);
        return true;
    }
    errand->next = office->errands;
    office->errands = errand;
    ledger_set_state(office->ledger, work->number, WORK_PLAYING);
    hub_tell(office->hub, work->number, "playing");
    return true;
}

static bool begin_next(struct office *office, bool is_match, unsigned most)
{
    const struct work *work =
        count_errands(office, is_match) < most ? next_work(office, is_match) : NULL;

    return work != NULL && begin_work(office, work);
}

void office_begin_works(struct office *office)
{
    unsigned slots = office->setup.slots;

    if (office->is_draining) {
        if (office->errands == NULL && !office->was_idle && office->setup.on_idle != NULL) {
            office->was_idle = true;
            office->setup.on_idle(office->setup.context);
        }
        return;
    }
    while (begin_next(office, false, 1))
        ;
    if (count_errands(office, false) > 0)
        slots = slots > 1 ? slots / 2 : 1;
    while (begin_next(office, true, slots))
        ;
}
