#include "support/skill_bots.h"

#include "greedy/policy.h"

#define SAMPLES 4

/* The discard pile, its top last. */
static unsigned copy_discards(const struct allegra_table *table, int8_t *discards)
{
    for (unsigned i = 0; i < table->discard_count; i++)
        discards[i] = allegra_table_discarded(table, i);
    return table->discard_count;
}

struct allegra_answer skill_choose_greedy(const struct allegra_table *table, unsigned seat,
                                          struct glance *glance, struct allegra_dice *dice)
{
    struct allegra_view view = allegra_view_of(table, seat);
    int8_t discards[ALLEGRA_DECK_MAX];
    struct odds odds = odds_of(&view, discards, copy_discards(table, discards));
    struct allegra_legal legal;

    (void)glance;
    (void)dice;
    allegra_legal_list(table, seat, &legal);
    return policy_choose(&view, &legal, &odds);
}

struct allegra_answer skill_search(const struct allegra_table *table, unsigned seat,
                                   struct allegra_dice *dice, const struct search_limit *limit)
{
    struct allegra_view view = allegra_view_of(table, seat);
    int8_t discards[ALLEGRA_DECK_MAX];
    struct knowledge knowledge = {.view = &view, .discards = discards};
    struct allegra_legal legal;

    knowledge.discard_count = copy_discards(table, discards);
    allegra_legal_list(table, seat, &legal);
    return search_choose(&knowledge, &legal, dice, limit);
}

struct allegra_answer skill_choose_strong(const struct allegra_table *table, unsigned seat,
                                          struct glance *glance, struct allegra_dice *dice)
{
    struct search_limit limit = {.samples = SAMPLES};

    (void)glance;
    return skill_search(table, seat, dice, &limit);
}
