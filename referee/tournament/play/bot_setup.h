#ifndef REFEREE_TOURNAMENT_ENTRANTS_H
#define REFEREE_TOURNAMENT_ENTRANTS_H

/* The bots of a plan, ready to be started: their programs found, built and identified. */

#include "tournament/job.h"
#include "tournament/plan.h"

struct entrants;

/* Where bots are built. Lent for the call. */
struct entrants_builds {
    const char *folder; /* made if it is not there */
    bool is_shared;     /* others build there too, and other bots of the same name */
};

/* Finds the program of each bot. Of a remote one that is the referee itself, `bridge SOCKET NAME`, and
 * its hash tells no more than its name. One that has a `build` command is copied to where bots are built
 * and built there, unless that was done with the same files before; without such a place (NULL) it is left
 * out. Builds are contained as bots are. Tells all problems, each with the line of the bot in the file.
 * Returns NULL if there was one. `plan` is lent. */
struct entrants *entrants_new(const struct plan *plan, const struct entrants_builds *builds,
                              struct contain *contain, plan_problem_fn *problem, void *context);
void entrants_free(struct entrants *entrants);

/* By number of the plan. */
const struct entrant *entrants_list(const struct entrants *entrants);

#endif
