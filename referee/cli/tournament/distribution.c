/* What the lane needs from a tournament. */

#include "cli/tournament/distribution.h"

#include "base/memory.h"
#include "base/message.h"
#include "cli/tournament/cmd_tournament.h"
#include "tournament/play/clock_scale.h"

#include <stdlib.h>

#define SPEED_MS 1000

struct distribution {
    struct tournament *tournament;
    struct seal_key key;
    char store[STORE_ID_HEX];
    struct travel *travel;
    struct block_lane *lane;
    long speed; /* of this machine, if clocks are scaled; else 0 */
};

static int pack(struct distribution *distribution, struct text *problem)
{
    struct tournament *tournament = distribution->tournament;
    const struct config *config = tournament->config;
    unsigned count = store_bot_count(tournament->store);
    const struct config_bot **sources = xcalloc(count + 1, sizeof *sources);
    struct task_setup tasks = tournament_task_setup(tournament);
    struct travel_setup setup = {.tasks = &tasks,
                                 .level = sandbox_level(tournament->sandbox),
                                 .sources = sources,
                                 .bot_count = count,
                                 .store = distribution->store,
                                 .speed = distribution->speed};

    for (unsigned i = 0; i < config->bot_count; i++)
        sources[store_find_bot(tournament->store, config->bots[i].name)] = &config->bots[i];
    distribution->travel = travel_new(&setup, problem);
    free(sources);
    return distribution->travel != NULL ? 0 : -1;
}

struct distribution *distribution_new(struct tournament *tournament)
{
    struct distribution *distribution = xcalloc(1, sizeof *distribution);
    char message[400];
    struct text problem;

    text_start(&problem, message, sizeof message);
    distribution->tournament = tournament;
    if (tournament->config->scales_clock)
        distribution->speed = clock_scale_measure(SPEED_MS);
    store_id(tournament->store, distribution->store);
    if (seal_key_read(&distribution->key, tournament->key_file, &problem) == 0 &&
        pack(distribution, &problem) == 0)
        return distribution;
    message_say("%s", message);
    distribution_free(distribution);
    return NULL;
}

const struct lane *distribution_open(struct distribution *distribution, struct event_base *base)
{
    struct tournament *tournament = distribution->tournament;
    struct block_lane_setup setup = {
        .servers = tournament->gearman,
        .key = &distribution->key,
        .travel = distribution->travel,
        .tasks = tournament_task_setup(tournament),
        .level = sandbox_level(tournament->sandbox),
        .store = distribution->store,
        .silence_ms = 1000 * tournament->silence_s,
    };

    setup.tasks.sandbox = setup.level;
    setup.tasks.reference = distribution->speed;
    distribution->lane = block_lane_new(base, &setup);
    return block_lane_port(distribution->lane);
}

void distribution_close(struct distribution *distribution)
{
    if (distribution != NULL)
        block_lane_free(distribution->lane);
    if (distribution != NULL)
        distribution->lane = NULL;
}

void distribution_free(struct distribution *distribution)
{
    if (distribution == NULL)
        return;
    distribution_close(distribution);
    travel_free(distribution->travel);
    free(distribution);
}

void distribution_describe(const struct distribution *distribution, struct text *line)
{
    if (distribution->lane != NULL)
        block_lane_describe(distribution->lane, line);
}
