/* A cursor runs over the blocks of the source. What was given out in this run is a bit per match,
 * what is played is known by the store, and the rest is to be given out. Matches that come back are
 * in a list: they wait to be given out again, or are set aside, or are being played. A block that
 * does not count any more has no rotations, so its matches are passed over. */

#include "tournament/play/task_queue.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A match that has come back at least once. */
struct retry {
    struct task task;
    unsigned voids;
    bool is_waiting; /* to be given out */
    bool is_aside;
    char *why; /* it was void the last time; NULL: it was not */
};

struct task_queue {
    struct block_source source;
    struct store *store;
    unsigned cursor; /* the first block that may have matches to give out */
    uint32_t *given; /* by block: which matches were given out in this run */
    unsigned given_capacity;
    struct retry *retries;
    unsigned retry_count;
};

struct task_queue *task_queue_new(const struct block_source *source, struct store *store)
{
    struct task_queue *queue = xcalloc(1, sizeof *queue);

    queue->source = *source;
    queue->store = store;
    queue->cursor = 1;
    return queue;
}

void task_queue_free(struct task_queue *queue)
{
    if (queue == NULL)
        return;
    for (unsigned i = 0; i < queue->retry_count; i++)
        free(queue->retries[i].why);
    free(queue->given);
    free(queue->retries);
    free(queue);
}

static unsigned rotations_of(const struct task_queue *queue, unsigned block)
{
    return queue->source.rotations(queue->source.context, block);
}

/* Matches of the source. */

static void reserve_given(struct task_queue *queue, unsigned block)
{
    unsigned before = queue->given_capacity;

    if (block < before)
        return;
    queue->given_capacity = 2 * block + 64;
    queue->given = xrealloc(queue->given, queue->given_capacity * sizeof *queue->given);
    memset(queue->given + before, 0, (queue->given_capacity - before) * sizeof *queue->given);
}

static bool find_new(struct task_queue *queue, struct task *task)
{
    const struct block_source *source = &queue->source;
    unsigned blocks = source->block_count(source->context);

    for (; queue->cursor <= blocks; queue->cursor++) {
        unsigned block = queue->cursor;
        uint32_t missing;

        reserve_given(queue, block);
        missing = block_mask(rotations_of(queue, block)) & ~queue->given[block] &
                  ~store_done(queue->store, block);
        if (missing == 0)
            continue;
        *task = (struct task){.block = block, .rotation = (uint16_t)__builtin_ctz(missing)};
        source->fill_task(source->context, block, task->rotation, task);
        store_seed(queue->store, block, task->seed);
        return true;
    }
    return false;
}

static void note_given(struct task_queue *queue, const struct task *task)
{
    reserve_given(queue, task->block);
    queue->given[task->block] |= UINT32_C(1) << task->rotation;
}

/* Matches that have come back. */

static struct retry *find_retry(const struct task_queue *queue, const struct task *task)
{
    for (unsigned i = 0; i < queue->retry_count; i++) {
        struct retry *retry = &queue->retries[i];

        if (retry->task.block == task->block && retry->task.rotation == task->rotation)
            return retry;
    }
    return NULL;
}

static struct retry *add_retry(struct task_queue *queue, const struct task *task)
{
    struct retry *retry = find_retry(queue, task);

    if (retry != NULL)
        return retry;
    queue->retries = xrealloc(queue->retries, (queue->retry_count + 1) * sizeof *retry);
    retry = &queue->retries[queue->retry_count++];
    *retry = (struct retry){.task = *task};
    return retry;
}

/* The match is to be played again: perhaps in another block, with all that is known about it. */
static struct retry *renew_retry(struct task_queue *queue, const struct task *task)
{
    const struct block_source *source = &queue->source;
    unsigned block = source->redeal != NULL ? source->redeal(source->context, task->block) : 0;
    struct retry *retry = add_retry(queue, task);

    if (block == 0)
        return retry;
    retry->task.block = block;
    source->fill_task(source->context, block, task->rotation, &retry->task);
    store_seed(queue->store, block, retry->task.seed);
    note_given(queue, &retry->task);
    return retry;
}

static const struct retry *find_waiting(const struct task_queue *queue)
{
    for (unsigned i = 0; i < queue->retry_count; i++) {
        const struct retry *retry = &queue->retries[i];

        if (retry->is_waiting && rotations_of(queue, retry->task.block) > 0)
            return retry;
    }
    return NULL;
}

bool task_queue_next(struct task_queue *queue, struct task *task)
{
    const struct retry *retry = find_waiting(queue);

    if (retry == NULL)
        return find_new(queue, task);
    *task = retry->task;
    return true;
}

void task_queue_take(struct task_queue *queue, const struct task *task)
{
    struct retry *retry = find_retry(queue, task);

    note_given(queue, task);
    if (retry != NULL)
        retry->is_waiting = false;
}

unsigned task_queue_take_block(struct task_queue *queue, unsigned block, struct task *tasks,
                               unsigned most)
{
    unsigned count = 0;

    for (unsigned i = 0; i < queue->retry_count && count < most; i++) {
        struct retry *retry = &queue->retries[i];

        if (retry->task.block != block || !retry->is_waiting)
            continue;
        retry->is_waiting = false;
        tasks[count++] = retry->task;
    }
    while (count < most && find_new(queue, &tasks[count]) && tasks[count].block == block)
        note_given(queue, &tasks[count++]);
    return count;
}

void task_queue_put_back(struct task_queue *queue, const struct task *task)
{
    add_retry(queue, task)->is_waiting = true;
}

void task_queue_put_spoiled(struct task_queue *queue, const struct task *task)
{
    renew_retry(queue, task)->is_waiting = true;
}

bool task_queue_put_void(struct task_queue *queue, const struct task *task, unsigned times,
                         const char *why)
{
    struct retry *retry = renew_retry(queue, task);
    unsigned before = retry->voids;

    free(retry->why);
    retry->why = xstrdup(why);
    retry->voids += times;
    retry->is_waiting = retry->voids < TASK_QUEUE_VOIDS_MAX;
    retry->is_aside = !retry->is_waiting;
    return retry->is_aside && before < TASK_QUEUE_VOIDS_MAX;
}

/* Matches that are set aside. */

static bool is_aside(const struct task_queue *queue, const struct retry *retry)
{
    return retry->is_aside && rotations_of(queue, retry->task.block) > 0;
}

unsigned task_queue_count_aside(const struct task_queue *queue)
{
    unsigned count = 0;

    for (unsigned i = 0; i < queue->retry_count; i++)
        count += is_aside(queue, &queue->retries[i]);
    return count;
}

struct task_aside task_queue_aside(const struct task_queue *queue, unsigned number)
{
    const struct retry *retry = queue->retries;

    for (; !is_aside(queue, retry) || number-- > 0; retry++)
        ;
    return (struct task_aside){retry->task.block, retry->task.rotation, retry->voids, retry->why};
}

void task_queue_retry_aside(struct task_queue *queue)
{
    for (unsigned i = 0; i < queue->retry_count; i++) {
        struct retry *retry = &queue->retries[i];

        if (!is_aside(queue, retry))
            continue;
        retry->is_waiting = true;
        retry->is_aside = false;
    }
}

void task_queue_rewind(struct task_queue *queue)
{
    queue->cursor = 1;
}
