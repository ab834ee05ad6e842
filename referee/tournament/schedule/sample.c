/* Makes the groups of a balanced choice. The bots are in two decks, old and new. A bot that is
 * chosen leaves its deck until the deck is empty and refilled, so that bots of a deck are at any
 * time chosen equally often, give or take one. Of some that are still in the deck, the one is taken
 * that has met those at the table least. A group has at least one new bot; the other places go to
 * new and old ones so that the new meet both equally often. balance.c evens out the rest.
 *
 * The work is bounded: the more groups there are, the fewer bots are looked at for a place. */

#include "tournament/schedule/schedule_private.h"

#include "base/memory.h"

#include <stdlib.h>

/* How many bots are looked at for one place; LOOKS_ALL bounds the work for all groups. */
#define LOOKS_MAX 64
#define LOOKS_MIN 4
#define LOOKS_ALL 20000000

enum { DECK_OLD, DECK_NEW, DECK_COUNT };

struct deck {
    uint16_t *bots; /* the first `left` are still to be chosen */
    unsigned count;
    unsigned left;
    unsigned laps; /* how often it was filled */
};

struct dealer {
    struct sample *sample;
    struct deck decks[DECK_COUNT];
    unsigned capacity; /* of the groups */
    uint64_t met_new;  /* meetings of two new bots */
    uint64_t met_old;  /* meetings of a new and an old one */
};

void sample_add_met(struct sample *sample, unsigned one, unsigned other, int change)
{
    size_t bots = sample->bots;

    sample->met[one * bots + other] += (unsigned)change;
    sample->met[other * bots + one] += (unsigned)change;
}

bool sample_group_has(const struct group *group, unsigned size, unsigned bot)
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

static void deck_refill(struct deck *deck)
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

/* Whether the deck has a bot that is not at the table yet. */
static bool deck_has_choice(const struct deck *deck, const struct group *group, unsigned size)
{
    for (unsigned i = 0; i < deck->left; i++) {
        if (!sample_group_has(group, size, deck->bots[i]))
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

/* Chooses from a deck that has a bot which is not at the table yet. */
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

        if (sample_group_has(group, size, deck->bots[place]))
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

/* Whether the new bots have met each other less than the old ones, on average. */
static bool is_new_wanted(const struct dealer *dealer)
{
    uint64_t old = dealer->sample->old;
    uint64_t fresh = dealer->sample->bots - old;

    return dealer->met_new * fresh * old < dealer->met_old * (fresh * (fresh - 1) / 2);
}

/* The deck for the next place. The first place goes to a new bot. */
static struct deck *choose_deck(struct dealer *dealer, const struct group *group, unsigned size)
{
    struct sample *sample = dealer->sample;
    struct deck *old = &dealer->decks[DECK_OLD];
    struct deck *fresh = &dealer->decks[DECK_NEW];
    bool has_new;

    if (old->left == 0)
        deck_refill(old);
    if (fresh->left == 0 && (sample->wanted > 0 || fresh->laps < sample->plays))
        deck_refill(fresh);
    has_new = deck_has_choice(fresh, group, size);
    if (has_new && (size == 0 || is_new_wanted(dealer)))
        return fresh;
    if (deck_has_choice(old, group, size))
        return old;
    /* Too few old bots to fill the table: a new one has to play once more than planned. */
    if (!has_new)
        deck_refill(fresh);
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
    if (sample->count == dealer->capacity) {
        dealer->capacity = dealer->capacity * 2 + 64;
        sample->groups = xrealloc(sample->groups, dealer->capacity * sizeof *sample->groups);
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
    schedule_balance(sample);
}
