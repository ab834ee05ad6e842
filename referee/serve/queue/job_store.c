/* The store of a job that is over. Only numbers become part of a path. */

#include "base/directory_tree.h"
#include "serve/queue/queue_private.h"
#include "tournament/store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

struct store *queue_open_store(const struct queue *queue, unsigned number, struct text *problem)
{
    char *path = queue_job_path(queue, number, "store");
    struct stat status;
    struct store *store = NULL;

    if (lstat(path, &status) == 0)
        store = store_open(path, JOURNAL_READ, problem);
    free(path);
    return store;
}

int queue_remove_store(const struct queue *queue, unsigned number)
{
    const struct job *job = ledger_job(queue->ledger, number);
    char *path = queue_job_path(queue, number, "");
    struct stat status;
    int result = 0;

    if (job != NULL && job_is_over(job->state) && lstat(path, &status) == 0)
        result = directory_tree_remove(path);
    free(path);
    return result;
}
