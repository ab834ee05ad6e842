#ifndef REFEREE_TOURNAMENT_SCHEDULE_SCHEDULE_H
#define REFEREE_TOURNAMENT_SCHEDULE_SCHEDULE_H

/* Who plays whom, in which order. A pure function of its setup, which does not contain the secret
 * seed of the deals.
 *
 * A schedule is a list of blocks. All matches of a block have the same deal and the same bots,
 * which change seats from match to match; or the block is one match. Blocks are numbered from 1 and
 * keep their number and their bots when bots join later, which adds blocks at the end. */

#include "game/allegra.h"

#include <stdbool.h>
#include <stdint.h>

enum schedule_format {
    SCHEDULE_ROUND_ROBIN, /* every group of bots that fits a table, or a balanced choice of them */
    SCHEDULE_GAUNTLET,    /* the same, but only groups with bot `hero` */
    SCHEDULE_SWISS,       /* in rounds: bots with similar results meet */
    SCHEDULE_FORMAT_COUNT,
};

enum schedule_seatings {
    SCHEDULE_SINGLE,    /* once: nobody sees a deal twice */
    SCHEDULE_ROTATIONS, /* each bot once on each seat, always in the same order around the table */
    SCHEDULE_ALL,       /* every order of the bots around the table; up to 4 seats, so at most 24 */
    SCHEDULE_SEATINGS_COUNT,
};

/* "round-robin" … and "single" …, as files write them; by their enums. */
extern const char *const schedule_format_names[SCHEDULE_FORMAT_COUNT];
extern const char *const schedule_seatings_names[SCHEDULE_SEATINGS_COUNT];

/* Why SCHEDULE_SINGLE, where strangers play for something. */
#define SCHEDULE_WHY_SINGLE                                                                        \
    "a bot that sees a deal again may know its cards, because programs can leave traces in any "   \
    "sandbox"

#define SCHEDULE_SEATINGS_MAX 24
#define SCHEDULE_BOTS_MAX 4096
#define SCHEDULE_BLOCKS_MAX 1000000

struct schedule_setup {
    enum schedule_format format;
    enum schedule_seatings seatings;
    unsigned seats;
    unsigned bots;
    unsigned hero;   /* for SCHEDULE_GAUNTLET: the number of that bot */
    unsigned deals;  /* blocks per group; for SCHEDULE_SWISS per table and round */
    unsigned rounds; /* for SCHEDULE_SWISS */
    /* Not for SCHEDULE_SWISS: if not 0, at most so many matches, but at least one block. If not
     * every group can have its deals, a balanced choice is made: bots differ by at most one block,
     * and pairs meet about equally often (they differ by one block mostly, by two or three rarely,
     * by more with hundreds of bots and hundreds of thousands of blocks). Bots that join later come
     * on top: they play as often as the others on average. */
    unsigned long matches;
    uint64_t seed; /* the public one */
    /* For SCHEDULE_SWISS: pairs quickly, although bots may then meet again a little more often. */
    bool is_rough;
    /* When each bot joined: 1 for those that were there from the start; never smaller for a bot
     * with a larger number. For Swiss: its first round. NULL: all were there from the start. */
    const unsigned *generation;
};

/* How many matches the schedule of a setup without `generation` will have, without making it. At
 * most ULONG_MAX. */
unsigned long schedule_expect(const struct schedule_setup *setup);

struct block {
    unsigned number; /* from 1 */
    unsigned round;  /* for SCHEDULE_SWISS, from 1; else 0 */
    unsigned seats;
    uint16_t bots[ALLEGRA_SEATS_MAX];
    unsigned rematch;    /* the block that is played in its place; or 0 */
    unsigned rematch_of; /* the block in whose place it is played; or 0 */
};

struct schedule;

/* Why a setup breaks the rules above, as a sentence; NULL if it does not. */
const char *schedule_refuse(const struct schedule_setup *setup);

/* Makes all blocks; for SCHEDULE_SWISS those of the first round, schedule_add_round() adds the
 * others. Returns NULL if there are more than SCHEDULE_BLOCKS_MAX in all rounds: the remedy is
 * `matches`. Too few bots for a table make no block. A setup that
 * schedule_refuse() refuses is a bug. */
struct schedule *schedule_new(const struct schedule_setup *setup);
void schedule_free(struct schedule *schedule);

unsigned schedule_count(const struct schedule *schedule);

/* Lent until a round is added. NULL if there is no block of that number. */
const struct block *schedule_block(const struct schedule *schedule, unsigned number);

/* How many matches a block has, and which bot sits where in one of them (from 0). In the first they
 * sit in the order of the block. In a block each bot has each seat equally often; with
 * SCHEDULE_SINGLE over all blocks, give or take one mostly, and as far as that allows each bot also
 * has the others equally often on its left. There, if the bots of the start fill exactly one table,
 * they sit in the first block in the order of the list. */
unsigned schedule_rotations(const struct schedule *schedule, const struct block *block);
void schedule_seats(const struct schedule *schedule, const struct block *block, unsigned rotation,
                    uint16_t bots[ALLEGRA_SEATS_MAX]);

/* Swiss: adds the next round. `order` lists the bots that still play, the best first. Bots left
 * over when the tables are full sit out: those that did so least often, and of these the last in
 * the order. Neighbours in the order sit together, as far as bots that have met can be kept apart.
 * Returns false if all rounds are there. */
bool schedule_add_round(struct schedule *schedule, const uint16_t *order, unsigned count);

/* Blocks that are played again, with the same bots in the same seats: their rematches come right
 * after block `after`, in the order of the list, and later blocks move up. The list has no block
 * twice, none after `after`, and none that has a rematch. Returns false, and changes nothing, if a
 * block is not so, or if there are more than SCHEDULE_BLOCKS_MAX. */
bool schedule_add_rematches(struct schedule *schedule, unsigned after, const unsigned *blocks,
                            unsigned count);

/* How many matches there will be, including later rounds, if no bot is withdrawn. */
unsigned long schedule_matches(const struct schedule *schedule);

/* The smallest and the largest number of matches that two bots have in common, in the blocks that
 * are there. For a gauntlet: two bots of the field, or with 2 seats the hero and one of the
 * field. */
void schedule_meetings(const struct schedule *schedule, unsigned long *fewest, unsigned long *most);

#endif
