#ifndef REFEREE_MATCH_STABLE_H
#define REFEREE_MATCH_STABLE_H

/* Bots that wait for their next match. Nobody may see a deal twice: a process that has seen one match of
 * a deal is never given out for another match of it. */

#include "bot/bot.h"
#include "wire/line.h"

#include <stdint.h>

struct stable;

/* What goes with a process from match to match. */
struct stall {
    struct bot *bot;
    struct line_hello hello;
    uint64_t asked;  /* how many questions it was asked so far */
    unsigned kind;   /* which bot it is: a number of the caller's */
    uint32_t *deals; /* that it has seen, ascending */
    unsigned deal_count;
    struct stall *next;
};

struct stall *stall_new(unsigned kind);

/* Forgets a stall, but does not end its bot. NULL is fine. */
void stall_free(struct stall *stall);

/* The bot gets to know that deal. */
void stall_see(struct stall *stall, uint32_t deal);

/* Keeps at most `most` bots; whoever waited longest is ended for a new one. */
struct stable *stable_new(unsigned most);

/* Ends all bots that wait. NULL is fine. */
void stable_free(struct stable *stable);

/* Gives away a bot of that kind which has not seen `deal` and is ready to play; NULL if there is
 * none. */
struct stall *stable_take(struct stable *stable, unsigned kind, uint32_t deal);

/* Takes a stall and its bot. */
void stable_put(struct stable *stable, struct stall *stall);

/* How many wait. */
unsigned stable_count(const struct stable *stable);

#endif
