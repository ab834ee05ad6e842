#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_RESULT_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_BLOCK_RESULT_H

/* What comes back when a block was played elsewhere: how each of its matches ended, with their
 * compressed logs and the bots' stderr, as one string of bytes. It says nothing that the logs
 * prove: places and points are found by playing the logs again (block_intake.h). */

#include "base/text.h"
#include "tournament/play/task.h"
#include "tournament/schedule/schedule.h"

#define BLOCK_RESULT_WORKER_MAX 80
#define BLOCK_RESULT_MATCHES_MAX 32
#define BLOCK_RESULT_BYTES_MAX ((size_t)256 << 20)

/* Whose result it is. */
struct block_result_head {
    char store[STORE_ID_HEX];
    unsigned block;
    char task[LOG_RECORD_HASH_HEX];           /* the hash of the task; "" without a job server */
    char worker[BLOCK_RESULT_WORKER_MAX + 1]; /* its name */
};

/* One match of it. Lent. */
struct block_result_match {
    unsigned rotation;
    enum task_end end; /* TASK_PLAYED, TASK_VOID or TASK_RETURNED */
    char why[200];     /* it was not played */
    struct span log;
    struct span stderrs[ALLEGRA_SEATS_MAX];
};

struct block_result {
    struct block_result_head head;
    struct block_result_match matches[BLOCK_RESULT_MATCHES_MAX];
    unsigned match_count;
};

/* Puts the reports of a block's matches together with the logs that are in FOLDER/open/BLOCK. A log
 * that cannot be read makes its match void. Free it. */
char *block_result_write(const struct block_result_head *head, const char *folder,
                         const struct task_report *reports, unsigned count, size_t *length);

/* Reads it; the result points into `bytes`. Returns 0, or -1 with one sentence: nothing of it can
 * be used. */
int block_result_read(struct block_result *result, struct span bytes, struct text *problem);

/* Removes the files of a block in FOLDER/open. */
void block_result_remove(const char *folder, unsigned block);

#endif
