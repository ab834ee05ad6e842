#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_TASK_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_TASK_H

/* What a worker elsewhere is given: matches of one block, with the seed of that block and no other
 * secret. Settings and bots are named by their hash (travel.h). */

#include "tournament/distribute/block_result.h"
#include "tournament/distribute/seal.h"

struct block_task {
    char store[STORE_ID_HEX];
    char setup[SEAL_HASH_HEX]; /* the hash of the settings */
    unsigned attempt;          /* from 0 */
    struct task tasks[BLOCK_RESULT_MATCHES_MAX];
    unsigned count;
    char hash[SEAL_HASH_HEX]; /* of all that; a result names it */
};

/* Writes a task, and finds its hash. `shut_out` are workers whose results do not count any more,
 * each followed by a NUL, with an empty one at the end; they do not change the hash. Free it. */
char *block_task_write(struct block_task *task, const char *shut_out, size_t *length);

/* Reads one. Returns 0, or -1 with one sentence; `is_shut_out` says whether `worker` is. */
int block_task_read(struct block_task *task, struct span bytes, const char *worker,
                    bool *is_shut_out, struct text *problem);

/* Its name at a job server, the same for the same attempt of the same matches: no server has it
 * twice. */
#define BLOCK_TASK_KEY_MAX 80
void block_task_key(const struct block_task *task, char key[BLOCK_TASK_KEY_MAX]);

/* The function of a job server for blocks at a sandbox level, and for files of a store. */
#define BLOCK_TASK_FUNCTION_MAX 100
void block_task_function(const struct seal_key *key, enum sandbox_level level,
                         char name[BLOCK_TASK_FUNCTION_MAX]);
void block_task_files_function(const struct seal_key *key, const char *store,
                               char name[BLOCK_TASK_FUNCTION_MAX]);

#endif
