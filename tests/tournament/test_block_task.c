/* Tasks and results come from elsewhere: what is not exactly one is refused. */

#include "tournament/distribute/block_task.h"

#include "base/deal_random.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void begin_all(void)
{
    cr_assert_eq(deal_random_init(), 0);
}

TestSuite(block_task, .init = begin_all);

static struct block_task example(void)
{
    struct block_task task = {.store = "0123", .setup = "4567", .attempt = 2, .count = 2};

    for (unsigned i = 0; i < task.count; i++)
        task.tasks[i] = (struct task){
            .block = 7, .rotation = (uint16_t)(3 * i), .seats = 2, .bots = {(uint16_t)i, 5}};
    return task;
}

static int read_back(struct block_task *task, struct span bytes, const char *worker, bool *is_out)
{
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    return block_task_read(task, bytes, worker, is_out, &problem);
}

Test(block_task, it_is_read_as_it_was_written)
{
    struct block_task task = example();
    struct block_task read;
    size_t length;
    char *bytes = block_task_write(&task, "w1\0w2\0", &length);
    char key[BLOCK_TASK_KEY_MAX];
    bool is_out;

    cr_assert_eq(read_back(&read, (struct span){bytes, length}, "w2", &is_out), 0);
    cr_assert(is_out);
    cr_assert_str_eq(read.hash, task.hash);
    cr_assert_eq(memcmp(read.tasks, task.tasks, sizeof read.tasks), 0);
    cr_assert_eq(read.attempt, 2U);
    block_task_key(&read, key);
    cr_assert_str_eq(key, "0123.7.9.2");
    free(bytes);
}

Test(block_task, who_is_shut_out_does_not_change_its_hash)
{
    struct block_task one = example();
    struct block_task other = example();
    size_t length;

    free(block_task_write(&one, "", &length));
    free(block_task_write(&other, "w1\0", &length));
    cr_assert_str_eq(one.hash, other.hash);
    other.attempt++;
    free(block_task_write(&other, "", &length));
    cr_assert_str_neq(one.hash, other.hash);
}

Test(block_task, anything_else_is_refused)
{
    struct block_task task = example();
    struct block_task read;
    size_t length;
    char *bytes = block_task_write(&task, "", &length);
    bool is_out;

    for (size_t cut = 0; cut + 3 < length; cut++)
        cr_assert_eq(read_back(&read, (struct span){bytes, cut}, "w", &is_out), -1, "cut %zu", cut);
    *strstr(bytes, "\"block\":7") = 'x';
    cr_assert_eq(read_back(&read, (struct span){bytes, length}, "w", &is_out), -1);
    free(bytes);
}

Test(block_task, a_result_with_other_lengths_is_refused)
{
    static const char *const forged[] = {
        "",
        "\n",
        "{}\n",
        "{\"v\":1,\"block\":1,\"matches\":[]}",
        "{\"v\":2,\"block\":1,\"matches\":[]}\n",
        "{\"v\":1,\"block\":0,\"matches\":[]}\n",
        "{\"v\":1,\"block\":1,\"matches\":[]}\nx",
        "{\"v\":1,\"block\":1,\"matches\":[{\"rotation\":0,\"end\":\"played\",\"log\":2}]}\nx",
        "{\"v\":1,\"block\":1,\"matches\":[{\"rotation\":0,\"end\":\"played\",\"log\":-1}]}\nx",
        "{\"v\":1,\"block\":1,\"matches\":[{\"rotation\":32,\"end\":\"void\"}]}\n",
        "{\"v\":1,\"block\":1,\"matches\":[{\"rotation\":0,\"end\":\"void\"},"
        "{\"rotation\":0,\"end\":\"void\"}]}\n",
    };
    struct block_result *result = calloc(1, sizeof *result);
    char message[300];
    struct text problem;

    for (size_t i = 0; i < ARRAY_LEN(forged); i++) {
        text_start(&problem, message, sizeof message);
        cr_assert_eq(block_result_read(result, span_of(forged[i]), &problem), -1, "case %zu", i);
    }
    text_start(&problem, message, sizeof message);
    cr_assert_eq(block_result_read(result,
                                   span_of("{\"v\":1,\"block\":1,\"matches\":[{\"rotation\":0,"
                                           "\"end\":\"played\",\"log\":2,\"stderr\":[0,1]}]}\nabc"),
                                   &problem),
                 0);
    cr_assert_eq(result->matches[0].log.length, 2U);
    cr_assert_eq(*result->matches[0].stderrs[1].start, 'c');
    free(result);
}
