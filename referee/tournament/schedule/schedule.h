#ifndef REFEREE_TOURNAMENT_SCHEDULE_SCHEDULE_H
#define REFEREE_TOURNAMENT_SCHEDULE_SCHEDULE_H

/* Who plays whom, in which order. A pure function of its setup, in which the secret seed of the deals
 * has no part.
 *
 * A schedule is a list of deal blocks. Every match of a block has the same deal and the same bots, who
 * change seats from match to match, or it is one match. Blocks are numbered from 1 and never change their number, nor
 * their bots, when bots join later: what they bring is added behind. */

#include "game/rules.h"

#include <stdbool.h>
#include <stdint.h>

enum schedule_format {
    SCHEDULE_ROUND_ROBIN, /* every group of bots that fits a table, or a balanced choice of them */
    SCHEDULE_GAUNTLET,    /* the same, but only groups with bot `hero` */
    SCHEDULE_SWISS,       /* in rounds: those who did alike meet */
    SCHEDULE_FORMAT_COUNT,
};

enum schedule_seatings {
    SCHEDULE_ALL,       /* every order of the bots around the table; up to 4 seats, so at most 24 */
    SCHEDULE_ROTATIONS, /* everybody once on every seat, the order around the table kept */
    SCHEDULE_SINGLE,    /* once: nobody sees a deal twice */
    SCHEDULE_SEATINGS_COUNT,
};

/* "round-robin" … and "all" …, as files write them; by their enums. */
extern const char *const schedule_format_names[SCHEDULE_FORMAT_COUNT];
extern const char *const schedule_seatings_names[SCHEDULE_SEATINGS_COUNT];

#define SCHEDULE_SEATINGS_MAX 24
#define SCHEDULE_BOTS_MAX 4096
#define SCHEDULE_BLOCKS_MAX 1000000

struct schedule_setup {
    enum schedule_format format;
    enum schedule_seatings seatings;
    unsigned seats;
    unsigned bots;
    unsigned hero;   /* of SCHEDULE_GAUNTLET: the number of that bot */
    unsigned deals;  /* blocks for each group, of SCHEDULE_SWISS for each table of a round */
    unsigned rounds; /* of SCHEDULE_SWISS */
    /* Not of SCHEDULE_SWISS: if not 0, no more than that, but at least one block. If not every group
     * can have its deals, a balanced choice is made: all bots play equally often, but for one block,
     * and all pairs meet about equally often (but for one block mostly, two or three rarely, some
     * more with hundreds of bots and hundreds of thousands of blocks). Bots that come later are not
     * bound by it: they play as often as the others do on average. */
    unsigned long matches;
    uint64_t seed; /* the public one */
    /* When each bot came: 1 for those that were there from the beginning. Never falls with the number
     * of the bot. NULL: all were. Of Swiss: the round that it came in for. */
    const unsigned *generation;
};

/* A deal block. */
struct block {
    unsigned number; /* from 1 */
    unsigned round;  /* of SCHEDULE_SWISS, from 1; else 0 */
    unsigned seats;
    uint16_t bots[ALLEGRA_SEATS_MAX];
};

struct schedule;

/* All blocks; of SCHEDULE_SWISS those of the first round, the others come by schedule_add_round().
 * Returns NULL if they are more than SCHEDULE_BLOCKS_MAX, all rounds together: the remedy is `matches`.
 * Too few bots for a table make no block. A setup that breaks what is said above is our mistake. */
struct schedule *schedule_new(const struct schedule_setup *setup);
void schedule_free(struct schedule *schedule);

unsigned schedule_count(const struct schedule *schedule);

/* Lent until a round is added. NULL if there is none of that number. */
const struct block *schedule_block(const struct schedule *schedule, unsigned number);

/* How many matches a block has, and who sits where in one of them (from 0). In the first they sit as
 * they stand in the block. In a block everybody has every seat equally often; of SCHEDULE_SINGLE in as
 * many blocks of a group as there are seats, one after the other. There, if those who were there from
 * the beginning fill one table, they sit in the first block as they are listed. */
unsigned schedule_rotations(const struct schedule *schedule, const struct block *block);
void schedule_seats(const struct schedule *schedule, const struct block *block, unsigned rotation,
                    uint16_t bots[ALLEGRA_SEATS_MAX]);

/* Swiss: adds the next round. `order` has the bots that play on, the best first. Bots that cannot be
 * seated because they do not fill a table sit out, those first that did so least and stand last.
 * Neighbours in the order sit together, as far as those who met before can be kept apart.
 * Returns false if all rounds are there. */
bool schedule_add_round(struct schedule *schedule, const uint16_t *order, unsigned count);

/* How many matches there will be in all, rounds to come included, if nobody is withdrawn. */
unsigned long schedule_matches(const struct schedule *schedule);

/* The fewest and the most common matches of two bots, in the blocks that are there. Of a gauntlet: of
 * two of the field, or with 2 seats of the hero and one of the field. */
void schedule_meetings(const struct schedule *schedule, unsigned long *fewest, unsigned long *most);

#endif
