#ifndef TESTS_SUPPORT_SKILL_PLAY_H
#define TESTS_SUPPORT_SKILL_PLAY_H

/* Plays matches of simple players in this process, and keeps an account of their luck: thousands of
 * times faster than with bots. */

#include "value/luck.h"
#include "value/swift.h"

/* A player's answer, which must be legal. `dice` are for the players alone. */
typedef struct allegra_answer skill_choose_fn(const struct allegra_table *table, unsigned seat,
                                              struct glance *glance, struct allegra_dice *dice);

/* Any legal answer; the quick policy; the quick policy with one random answer in eight. */
skill_choose_fn skill_choose_random, skill_choose_swift, skill_choose_noisy;

struct skill_match {
    struct allegra_rules rules;
    unsigned seats;
    skill_choose_fn *players[ALLEGRA_SEATS_MAX];
    uint64_t seed;
    bool is_without_luck; /* only plays */
};

struct skill_result {
    struct allegra_table table; /* at the end */
    double points[ALLEGRA_SEATS_MAX];
    double wins[ALLEGRA_SEATS_MAX];
    struct luck luck;
    double points_by_kind[LUCK_KINDS][ALLEGRA_SEATS_MAX];
    double wins_by_kind[LUCK_KINDS][ALLEGRA_SEATS_MAX];
};

void skill_play(const struct skill_match *match, struct skill_result *result);

#endif
