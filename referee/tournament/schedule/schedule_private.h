#ifndef REFEREE_TOURNAMENT_SCHEDULE_SCHEDULE_PRIVATE_H
#define REFEREE_TOURNAMENT_SCHEDULE_SCHEDULE_PRIVATE_H

/* What the files of a schedule share. schedule.c has the blocks and their seatings, single.c the
 * seats if every deal is played once, round_robin.c the groups of a round robin and of a gauntlet,
 * sample.c a balanced choice of them, balance.c its refinement, swiss.c the rounds. */

#include "game/allegra.h"
#include "tournament/schedule/schedule.h"

#include <stddef.h>

struct schedule {
    struct schedule_setup setup; /* its `generation` is a copy, and never NULL */
    unsigned *generation;
    struct block *blocks;
    unsigned count;
    unsigned capacity;
    unsigned round;    /* Swiss: the last one so far */
    unsigned playing;  /* Swiss: how many bots wanted to play in it */
    unsigned *sat_out; /* Swiss: by bot, in how many rounds it found no table */
    /* SCHEDULE_SINGLE: how often a bot had a seat, [bot * ALLEGRA_SEATS_MAX + seat]; and another
     * bot on its left, [bot * bots + left], or NULL with very many bots. */
    unsigned *seat_counts;
    unsigned *left_counts;
};

/* The part of a schedule_dice() that is not a deal. */
#define SCHEDULE_PART_CHOICE 0xffffffffU

/* The dice for one part of a generation or round: a deal, or the choice of groups. */
struct allegra_dice schedule_dice(const struct schedule *schedule, unsigned generation,
                                  unsigned part);

void schedule_shuffle(uint16_t *bots, unsigned count, struct allegra_dice *dice);

/* How many matches a block has. */
unsigned schedule_seating_count(const struct schedule_setup *setup);

/* Adds a block of these bots at the end, with a first seating drawn from `dice`. */
void schedule_append(struct schedule *schedule, const uint16_t *bots, struct allegra_dice *dice);

/* Seats the bots of the last block, if every deal is played once. */
void schedule_seat_once(struct schedule *schedule, struct block *block, struct allegra_dice *dice);

/* How many groups of `size` there are among `bots`; at most UINT64_MAX. */
uint64_t schedule_count_groups(unsigned bots, unsigned size);

/* Adds all blocks of a round robin or a gauntlet. Returns false if there are more than
 * SCHEDULE_BLOCKS_MAX: then the schedule is of no use. */
bool schedule_add_groups(struct schedule *schedule);

/* The first round of Swiss. Returns false if all rounds have more than SCHEDULE_BLOCKS_MAX
 * blocks. */
bool schedule_start_swiss(struct schedule *schedule);

/* In how many blocks two bots meet: [one * bots + other]. Free it. */
unsigned *schedule_count_met(const struct schedule *schedule);

/* Bots that meet, by their places in a list of bots. */
struct group {
    uint16_t members[ALLEGRA_SEATS_MAX];
};

/* A balanced choice of groups. The first six members are given. */
struct sample {
    unsigned bots;   /* to choose from: 0 to bots - 1 */
    unsigned old;    /* the first so many of them only fill up groups; less than `bots` */
    unsigned size;   /* of a group: from 1 to `bots` */
    unsigned wanted; /* how many groups; 0: until every new bot is in `plays` of them */
    unsigned plays;
    struct allegra_dice dice;
    struct group *groups; /* the choice; free it */
    unsigned count;
    unsigned *met; /* how often two of them meet: [one * bots + other]; free it */
};

/* Makes the choice. */
void schedule_sample(struct sample *sample);

/* Makes the meetings of a choice more equal. How often each bot plays does not change. */
void schedule_balance(struct sample *sample);

/* Counts a change of the meetings of two bots. */
void sample_add_met(struct sample *sample, unsigned one, unsigned other, int change);

bool sample_group_has(const struct group *group, unsigned size, unsigned bot);

#endif
