/* Deals out the groups of a balanced choice. The bots are in two decks, old and new. Whoever was chosen
 * leaves its deck until the deck is used up and taken up again, so that at any moment the bots of a
 * deck were chosen equally often, but for one. Among some that are still in the deck the one is taken
 * who met those at the table least. A group has one new bot at least; the other places go to new and old
 * ones so that the new meet both equally often. What that leaves uneven, balance.c makes even.
 *
 * The work is bounded: the more groups there are, the fewer bots are looked at for a place. */

#include "tournament/schedule/schedule_private.h"

#include "base/memory.h"

#include <stdlib.h>

#define LOOKS_MAX 64       /* bots looked at for one place, */
#define LOOKS_MIN 4        /* if there are very many groups, */
#define LOOKS_ALL 20000000 /* so that these are enough for all of them */

enum { DECK_OLD, DECK_NEW, DECK_COUNT };

struct deck {
    uint16_t *bots; /* the first `left` are still to be chosen */
    unsigned count;
    unsigned left;
    unsigned laps; /* how often it was taken up */
};

struct dealer {
    struct sample *sample;
    struct deck decks[DECK_COUNT];
    unsigned room;    /* for that many groups */
    uint64_t met_new; /* meetings of two new bots, */
    uint64_t met_old; /* and of a new and an old one */
};

void sample_add_met(struct sample *sample, unsigned one, unsigned other, int change)
{
    size_t bots = sample->bots;

    sample->met[one * bots + other] += (unsigned)change;
    sample->met[other * bots + one] += (unsigned)change;
}

bool group_has(const struct group *group, unsigned size, unsigned bot)
{
    for (unsigned i = 0; i < size; i++) {
        if (group->members[i] == bot)
            return true;
    }
    return false;
}

static struct deck deck_new(unsigned first, unsigned count)
{
    struct deck deck = {.bots = xcalloc(count, sizeof *deck.bots), .count = count};

    for (unsigned i = 0; i < count; i++)
        deck.bots[i] = (uint16_t)(first + i);
    return deck;
}

static void deck_take_up(struct deck *deck)
{
    deck->left = deck->count;
    deck->laps++;
}

static uint16_t deck_take(struct deck *deck, unsigned place)
{
    uint16_t bot = deck->bots[place];

    deck->bots[place] = deck->bots[--deck->left];
    deck->bots[deck->left] = bot;
    return bot;
}

/* Whether anybody in the deck could still come to the table. */
static bool deck_has_choice(const struct deck *deck, const struct group *group, unsigned size)
{
    for (unsigned i = 0; i < deck->left; i++) {
        if (!group_has(group, size, deck->bots[i]))
            return true;
    }
    return false;
}

static unsigned looks_of(const struct sample *sample)
{
    unsigned most = sample->plays * (sample->bots - sample->old);
    unsigned looks = LOOKS_ALL / (1 + (sample->wanted > 0 ? sample->wanted : most));

    if (looks > LOOKS_MAX)
        return LOOKS_MAX;
    return looks < LOOKS_MIN ? LOOKS_MIN : looks;
}

/* Chooses from a deck, of which somebody is not at the table yet. */
static uint16_t choose_from(struct sample *sample, struct deck *deck, const struct group *group,
                            unsigned size)
{
    unsigned start = allegra_dice_below(&sample->dice, deck->left);
    unsigned looks = looks_of(sample);
    unsigned best_place = 0;
    uint64_t best_met = UINT64_MAX;

    for (unsigned i = 0; i < deck->left && looks > 0; i++) {
        unsigned place = (start + i) % deck->left;
        uint64_t met = 0;

        if (group_has(group, size, deck->bots[place]))
            continue;
        for (unsigned j = 0; j < size; j++)
            met += sample->met[(size_t)group->members[j] * sample->bots + deck->bots[place]];
        if (met < best_met) {
            best_met = met;
            best_place = place;
        }
        looks--;
    }
    return deck_take(deck, best_place);
}

/* Whether the new bots met each other less than they met the old ones, on average. */
static bool is_new_wanted(const struct dealer *dealer)
{
    uint64_t old = dealer->sample->old;
    uint64_t fresh = dealer->sample->bots - old;

    return dealer->met_new * fresh * old < dealer->met_old * (fresh * (fresh - 1) / 2);
}

/* The deck that the next place is filled from. The first one goes to a new bot. */
static struct deck *choose_deck(struct dealer *dealer, const struct group *group, unsigned size)
{
    struct sample *sample = dealer->sample;
    struct deck *old = &dealer->decks[DECK_OLD];
    struct deck *fresh = &dealer->decks[DECK_NEW];
    bool has_new;

    if (old->left == 0)
        deck_take_up(old);
    if (fresh->left == 0 && (sample->wanted > 0 || fresh->laps < sample->plays))
        deck_take_up(fresh);
    has_new = deck_has_choice(fresh, group, size);
    if (has_new && (size == 0 || is_new_wanted(dealer)))
        return fresh;
    if (deck_has_choice(old, group, size))
        return old;
    /* Too few old bots to fill the table: a new one has to play once more. */
    if (!has_new)
        deck_take_up(fresh);
    return fresh;
}

static void count_meeting(struct dealer *dealer, unsigned one, unsigned other)
{
    unsigned old = dealer->sample->old;

    sample_add_met(dealer->sample, one, other, 1);
    dealer->met_new += one >= old && other >= old;
    dealer->met_old += (one >= old) != (other >= old);
}

static void deal_group(struct dealer *dealer)
{
    struct sample *sample = dealer->sample;
    struct group group = {0};

    for (unsigned size = 0; size < sample->size; size++) {
        struct deck *deck = choose_deck(dealer, &group, size);
        uint16_t bot = choose_from(sample, deck, &group, size);

        for (unsigned i = 0; i < size; i++)
            count_meeting(dealer, bot, group.members[i]);
        group.members[size] = bot;
    }
    if (sample->count == dealer->room) {
        dealer->room = dealer->room * 2 + 64;
        sample->groups = xrealloc(sample->groups, dealer->room * sizeof *sample->groups);
    }
    sample->groups[sample->count++] = group;
}

static bool is_dealt(const struct dealer *dealer)
{
    const struct sample *sample = dealer->sample;
    const struct deck *fresh = &dealer->decks[DECK_NEW];

    if (sample->wanted > 0)
        return sample->count == sample->wanted;
    return fresh->laps > sample->plays || (fresh->laps == sample->plays && fresh->left == 0);
}

void schedule_sample(struct sample *sample)
{
    struct dealer dealer = {.sample = sample};

    sample->groups = NULL;
    sample->count = 0;
    sample->met = xcalloc((size_t)sample->bots * sample->bots, sizeof *sample->met);
    dealer.decks[DECK_OLD] = deck_new(0, sample->old);
    dealer.decks[DECK_NEW] = deck_new(sample->old, sample->bots - sample->old);
    while (!is_dealt(&dealer))
        deal_group(&dealer);
    free(dealer.decks[DECK_OLD].bots);
    free(dealer.decks[DECK_NEW].bots);
    schedule_exchange(sample);
}
