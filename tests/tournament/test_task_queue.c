/* Which match is given out next, and what becomes of one that comes back. */

#include "tournament/play/task_queue.h"

#include "support/scratch.h"

#include <criterion/criterion.h>

#define BLOCKS 3
#define ROTATIONS 2

/* By block, from 1. */
static unsigned rotations_by_block[BLOCKS + 1];
static unsigned other_block; /* in which a match is played again; 0: in its own */
static struct store *store;
static struct task_queue *queue;

static unsigned block_count(void *context)
{
    (void)context;
    return BLOCKS;
}

static unsigned rotations(void *context, unsigned block)
{
    (void)context;
    return rotations_by_block[block];
}

static void fill_task(void *context, unsigned block, unsigned rotation, struct task *task)
{
    (void)context;
    task->seats = 2;
    task->bots[0] = (uint16_t)(block + rotation);
}

static unsigned redeal(void *context, unsigned block)
{
    (void)context;
    (void)block;
    return other_block;
}

static void begin_all(void)
{
    static const struct block_source source = {.block_count = block_count,
                                               .rotations = rotations,
                                               .fill_task = fill_task,
                                               .redeal = redeal};
    struct store_setting settings[] = {{"format", "compare"}, {NULL, NULL}};
    char message[200];
    struct text problem;

    cr_assert_eq(deal_random_init(), 0);
    scratch_begin();
    text_start(&problem, message, sizeof message);
    store = store_open(scratch_path("store"), JOURNAL_WRITE, &problem);
    cr_assert_not_null(store, "%s", message);
    cr_assert_eq(store_begin(store, "compare", settings, "x"), 0);
    for (unsigned i = 0; i < 2; i++) {
        struct store_bot bot = {.name = i == 0 ? "a" : "b", .command = "./a", .generation = 1};

        store_add_bot(store, &bot);
    }
    for (unsigned block = 1; block <= BLOCKS; block++)
        rotations_by_block[block] = ROTATIONS;
    queue = task_queue_new(&source, store);
}

static void end_all(void)
{
    task_queue_free(queue);
    store_free(store);
    scratch_end();
}

TestSuite(task_queue, .init = begin_all, .fini = end_all);

static struct task take(unsigned block, unsigned rotation)
{
    struct task task;

    cr_assert(task_queue_next(queue, &task));
    cr_assert_eq(task.block, block, "%u instead of %u", task.block, block);
    cr_assert_eq(task.rotation, rotation);
    task_queue_take(queue, &task);
    return task;
}

static void take_all(void)
{
    for (unsigned block = 1; block <= BLOCKS; block++) {
        for (unsigned rotation = 0; rotation < ROTATIONS; rotation++)
            take(block, rotation);
    }
}

static bool is_empty(void)
{
    struct task task;

    return !task_queue_next(queue, &task);
}

Test(task_queue, matches_come_once_and_in_the_order_of_the_source)
{
    struct task first;
    struct task again;

    cr_assert(task_queue_next(queue, &first));
    cr_assert(task_queue_next(queue, &again));
    cr_assert(first.block == again.block && first.rotation == again.rotation,
              "it is next until it is taken");
    cr_assert_eq(first.bots[0], 1);
    take_all();
    cr_assert(is_empty());
    task_queue_rewind(queue);
    cr_assert(is_empty());
}

Test(task_queue, what_the_store_has_is_not_given_out)
{
    static const struct histogram times[ALLEGRA_SEATS_MAX];
    struct result result = {.block = 1, .rotation = 1, .seats = 2, .rounds = 1};

    result.places[0] = result.places[1] = 1;
    result.bots[1] = 1;
    store_add_result(store, &result, "", times);
    take(1, 0);
    take(2, 0);
}

Test(task_queue, a_match_that_comes_back_is_next)
{
    struct task task = take(1, 0);

    take(1, 1);
    task_queue_put_back(queue, &task);
    take(1, 0);
    take(2, 0);
}

Test(task_queue, a_block_is_taken_as_a_whole_with_what_came_back)
{
    struct task task = take(1, 0);
    struct task tasks[32];

    task_queue_put_back(queue, &task);
    cr_assert_eq(task_queue_take_block(queue, 1, tasks, ARRAY_LEN(tasks)), 2);
    cr_assert_eq(tasks[0].rotation, 0);
    cr_assert_eq(tasks[1].rotation, 1);
    take(2, 0);
    cr_assert_eq(task_queue_take_block(queue, 2, tasks, ARRAY_LEN(tasks)), 1);
    take(3, 0);
}

Test(task_queue, a_match_that_is_void_repeatedly_is_set_aside_and_tried_again)
{
    struct task task = take(1, 0);
    struct task_aside aside;

    for (unsigned i = 1; i < TASK_QUEUE_VOIDS_MAX; i++) {
        cr_assert_not(task_queue_put_void(queue, &task, 1, "no memory"));
        take(1, 0);
    }
    cr_assert(task_queue_put_void(queue, &task, 1, "no process"));
    take(1, 1);
    cr_assert_eq(task_queue_count_aside(queue), 1);
    aside = task_queue_aside(queue, 0);
    cr_assert_eq(aside.block, 1);
    cr_assert_eq(aside.voids, TASK_QUEUE_VOIDS_MAX);
    cr_assert_str_eq(aside.why, "no process");

    task_queue_retry_aside(queue);
    cr_assert_eq(task_queue_count_aside(queue), 0);
    take(1, 0);
    cr_assert_not(task_queue_put_void(queue, &task, 1, "no process"), "it was set aside before");
    cr_assert_eq(task_queue_count_aside(queue), 1);
    take(2, 0);
}

Test(task_queue, several_voids_at_once_count_each)
{
    struct task first = take(1, 0);
    struct task second = take(1, 1);

    cr_assert(task_queue_put_void(queue, &first, TASK_QUEUE_VOIDS_MAX + 1, "lost"));
    cr_assert(task_queue_put_void(queue, &second, TASK_QUEUE_VOIDS_MAX, "late"));
    cr_assert_eq(task_queue_aside(queue, 0).rotation, 0);
    cr_assert_eq(task_queue_aside(queue, 1).rotation, 1);
    cr_assert_eq(task_queue_aside(queue, 1).voids, TASK_QUEUE_VOIDS_MAX);
}

Test(task_queue, a_block_that_does_not_count_is_passed_over_until_it_does)
{
    struct task task = take(1, 0);

    task_queue_put_void(queue, &task, TASK_QUEUE_VOIDS_MAX, "lost");
    take(1, 1);
    rotations_by_block[1] = rotations_by_block[2] = 0;
    cr_assert_eq(task_queue_count_aside(queue), 0);
    take(3, 0);
    take(3, 1);
    cr_assert(is_empty());
    rotations_by_block[1] = rotations_by_block[2] = ROTATIONS;
    cr_assert_eq(task_queue_count_aside(queue), 1);
    cr_assert(is_empty());
    task_queue_rewind(queue);
    take(2, 0);
}

/* Not if it has not begun; and the other block does not give it out a second time. */
Test(task_queue, a_match_that_needs_other_cards_comes_back_in_another_block)
{
    struct task task = take(1, 0);

    other_block = 3;
    task_queue_put_spoiled(queue, &task);
    take(3, 0);
    task = take(1, 1);
    task_queue_put_back(queue, &task);
    take(1, 1);
    cr_assert_not(task_queue_put_void(queue, &task, 1, "no memory"));
    cr_assert_eq(take(3, 1).bots[0], 4, "seated as the other block says");
    take(2, 0);
    take(2, 1);
    cr_assert(is_empty());
}
