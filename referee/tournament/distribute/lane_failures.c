/* Whatever goes wrong with a block counts against it, whoever is to blame: a worker that has the
 * key, lies and does not stop when it is shut out could keep a block going round for ever. The
 * coordinator sets a match aside that was void too often; the names of those that failed it are
 * collected here for its report.
 *
 * A worker whose disk is full gives blocks back, and that is no failure until it has happened
 * RETURNS_MAX times. */

#include "tournament/distribute/lane_failures.h"

#include "base/memory.h"
#include "base/text.h"
#include "tournament/distribute/block_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RETURNS_MAX 20
#define NAMES_MAX 3 /* in a report */

struct block_failures {
    unsigned attempts;
    unsigned returns;
    char (*names)[BLOCK_RESULT_WORKER_MAX + 1]; /* NAMES_MAX of them; NULL: there are none */
    unsigned name_count;
    bool has_more;
};

struct lane_failures {
    struct block_failures *blocks; /* by number */
    unsigned capacity;
};

struct lane_failures *lane_failures_new(void)
{
    return xcalloc(1, sizeof(struct lane_failures));
}

void lane_failures_free(struct lane_failures *failures)
{
    if (failures == NULL)
        return;
    for (unsigned i = 0; i < failures->capacity; i++)
        free(failures->blocks[i].names);
    free(failures->blocks);
    free(failures);
}

static struct block_failures *find_block(struct lane_failures *failures, unsigned block)
{
    unsigned before = failures->capacity;

    if (block >= before) {
        failures->capacity = 2 * block + 64;
        failures->blocks =
            xrealloc(failures->blocks, failures->capacity * sizeof *failures->blocks);
        memset(failures->blocks + before, 0,
               (failures->capacity - before) * sizeof *failures->blocks);
    }
    return &failures->blocks[block];
}

unsigned *lane_failures_attempts(struct lane_failures *failures, unsigned block)
{
    return &find_block(failures, block)->attempts;
}

static bool has_name(const struct block_failures *block, const char *name)
{
    for (unsigned i = 0; i < block->name_count; i++) {
        if (strcmp(block->names[i], name) == 0)
            return true;
    }
    return false;
}

void lane_failures_note(struct lane_failures *failures, unsigned number, const char *name)
{
    struct block_failures *block = find_block(failures, number);

    if (name[0] == '\0' || has_name(block, name))
        return;
    if (block->names == NULL)
        block->names = xcalloc(NAMES_MAX, sizeof *block->names);
    if (block->name_count == NAMES_MAX)
        block->has_more = true;
    else
        snprintf(block->names[block->name_count++], sizeof *block->names, "%s", name);
}

void lane_failures_explain(struct lane_failures *failures, const char *why,
                           struct task_report *report, unsigned number)
{
    const struct block_failures *block = find_block(failures, number);
    struct text text;

    text_start(&text, report->why, sizeof report->why);
    for (unsigned i = 0; i < block->name_count; i++)
        text_printf(&text, "%s%.40s", i == 0 ? "tried by " : ", ", block->names[i]);
    if (block->name_count > 0)
        text_add(&text, block->has_more ? " and others: " : ": ");
    text_add(&text, why);
}

bool lane_failures_may_return(struct lane_failures *failures, unsigned number)
{
    struct block_failures *block = find_block(failures, number);

    if (block->returns < RETURNS_MAX)
        block->returns++;
    return block->returns < RETURNS_MAX;
}
