/* The stable is a list, the one that waited longest first.
 *
 * Nobody reads what a waiting bot writes or watches whether it lives: it is looked at when it is taken,
 * and if anything is wrong then it is ended, and nobody is blamed. */

#include "match/stable.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct stable {
    struct stall *first;
    struct stall **end; /* where the next one is linked in */
    unsigned count;
    unsigned most;
};

struct stall *stall_new(unsigned kind)
{
    struct stall *stall = xcalloc(1, sizeof *stall);

    stall->kind = kind;
    return stall;
}

void stall_free(struct stall *stall)
{
    if (stall == NULL)
        return;
    free(stall->deals);
    free(stall);
}

static void end_bot(struct stall *stall)
{
    bot_free(stall->bot);
    stall_free(stall);
}

/* Where a deal is in the list, or belongs. Deals mostly come in ascending order. */
static unsigned find_deal(const struct stall *stall, uint32_t deal)
{
    unsigned low = 0;
    unsigned high = stall->deal_count;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (stall->deals[middle] < deal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_seen(const struct stall *stall, uint32_t deal)
{
    unsigned at = find_deal(stall, deal);

    return at < stall->deal_count && stall->deals[at] == deal;
}

void stall_see(struct stall *stall, uint32_t deal)
{
    unsigned at = find_deal(stall, deal);

    if (has_seen(stall, deal))
        return;
    stall->deals = xrealloc(stall->deals, (stall->deal_count + 1) * sizeof *stall->deals);
    memmove(stall->deals + at + 1, stall->deals + at,
            (stall->deal_count - at) * sizeof *stall->deals);
    stall->deals[at] = deal;
    stall->deal_count++;
}

struct stable *stable_new(unsigned most)
{
    struct stable *stable = xcalloc(1, sizeof *stable);

    stable->end = &stable->first;
    stable->most = most;
    return stable;
}

static struct stall *cut_out(struct stable *stable, struct stall **link)
{
    struct stall *stall = *link;

    *link = stall->next;
    if (stall->next == NULL)
        stable->end = link;
    stall->next = NULL;
    stable->count--;
    return stall;
}

void stable_free(struct stable *stable)
{
    if (stable == NULL)
        return;
    while (stable->first != NULL)
        end_bot(cut_out(stable, &stable->first));
    free(stable);
}

struct stall *stable_take(struct stable *stable, unsigned kind, uint32_t deal)
{
    struct stall **link = &stable->first;

    while (*link != NULL) {
        struct stall *stall = *link;

        if (stall->kind != kind || has_seen(stall, deal)) {
            link = &stall->next;
            continue;
        }
        cut_out(stable, link);
        if (bot_is_ready(stall->bot)) {
            bot_forget_stderr(stall->bot);
            return stall;
        }
        end_bot(stall);
    }
    return NULL;
}

void stable_put(struct stable *stable, struct stall *stall)
{
    stall->next = NULL;
    *stable->end = stall;
    stable->end = &stall->next;
    stable->count++;
    if (stable->count > stable->most)
        end_bot(cut_out(stable, &stable->first));
}

unsigned stable_count(const struct stable *stable)
{
    return stable->count;
}
