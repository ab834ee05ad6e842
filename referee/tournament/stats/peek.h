#ifndef REFEREE_TOURNAMENT_STATS_PEEK_H
#define REFEREE_TOURNAMENT_STATS_PEEK_H

/* Whether a bot knows cards that nobody can know. Each time it chooses among hidden cards (draw
 * from the pile or not, which down cell to turn up), chance decides whether the card helps it. The
 * luck of these choices has the mean zero for every bot that does not know the cards, however well
 * or badly it plays; a bot that peeks has more luck than chance explains. Its honest neighbours may
 * have less, because it leaves them the bad cards. */

#include "tournament/store/result.h"

#include <stdbool.h>
#include <stddef.h>

/* One of so many tournaments of honest bots raises an alarm, whatever the number of its bots, and
 * however often somebody looks while it is played. */
#define PEEK_ALARM 20000

/* Larger numbers say nothing more. */
#define PEEK_ONE_IN_MAX 1000000000

/* How many matches are named as evidence. */
#define PEEK_MATCHES 3

/* One match with the luck of the bot's choices in it. */
struct peek_match {
    uint32_t block;
    uint16_t rotation;
    double gain; /* points; above 0 is good luck */
};

/* One bot. */
struct peek {
    unsigned matches; /* in which luck was measured; if 0, all that follows is 0 or NaN */
    double gain;      /* the luck of its choices in points per match; above 0 is good luck */
    double spread;    /* the standard deviation that chance gives to this mean */
    double allowed;   /* the gain per match from which on it is suspicious */
    /* So much luck comes by chance at most once in so many tournaments, all bots considered: from 1
     * to PEEK_ONE_IN_MAX. */
    double one_in;
    bool is_suspicious; /* one_in is PEEK_ALARM or more */
    /* The matches in which it had the most luck, the largest gain first. */
    struct peek_match best[PEEK_MATCHES];
    unsigned best_count;
};

/* Fills `peeks`, one per bot by its number. The results come in any order. */
void peek_measure(const struct result *results, size_t count, unsigned bots, struct peek *peeks);

#endif
