#ifndef REFEREE_TOURNAMENT_STATS_REPEAT_GAIN_H
#define REFEREE_TOURNAMENT_STATS_REPEAT_GAIN_H

/* Whether a bot plays a deal better when it is dealt again: then it may know the cards. */

#include "tournament/store/result.h"

#include <stdbool.h>
#include <stddef.h>

/* An honest bot is suspected in one of a hundred tournaments, whatever the number of bots. */
#define REPEAT_GAIN_ALARM 0.01

/* Fewer deals than this prove nothing. */
#define REPEAT_GAIN_BLOCKS_MIN 8

/* One bot. */
struct repeat_gain {
    unsigned blocks; /* deals that it played more than once */
    double first;    /* mean points per round in the first match of those deals; NaN without one */
    double later;    /* and in the others */
    /* How probable a gain as large as this is by chance, for the bot in which it is largest; NaN
     * with too few deals. */
    double p;
    bool is_suspicious; /* below REPEAT_GAIN_ALARM */
};

/* Fills `gains`, one per bot by its number. The results come in any order. */
void repeat_gain_measure(const struct result *results, size_t count, unsigned bots,
                         struct repeat_gain *gains);

#endif
