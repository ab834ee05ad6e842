#ifndef TESTS_SUPPORT_LUCK_MATCH_H
#define TESTS_SUPPORT_LUCK_MATCH_H

/* Matches in this process whose luck is measured: thousands of times faster than with bots. */

#include "game/allegra.h"
#include "tournament/store/result.h"

enum luck_player {
    LUCK_PLAYER_SWIFT,  /* the quick policy */
    LUCK_PLAYER_RANDOM, /* any legal answer */
    LUCK_PLAYER_FIRST,  /* the first legal answer: always draws from the pile, and never knocks */
    LUCK_PLAYER_LAST,   /* the last one: never draws from the pile, and knocks with its last cell */
    LUCK_PLAYER_PEEKING, /* the quick policy with a look at the cards: card_peeker.h */
};

/* Plays a match of result->seats players with cards from the dice. Fills in rounds, scores, places
 * and luck of the result. */
void luck_match_play(struct result *result, const struct allegra_rules *rules,
                     const enum luck_player *players, struct allegra_dice *dice);

#endif
