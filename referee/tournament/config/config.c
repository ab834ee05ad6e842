/* A plan is what a tournament file says, complete: what the file leaves out is filled in. It owns its
 * texts and shares nothing. */

#include "tournament/plan.h"

#include "base/memory.h"
#include "tournament/plan_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_bot(struct plan_bot *bot)
{
    for (char **variable = bot->environment; variable != NULL && *variable != NULL; variable++)
        free(*variable);
    free((void *)bot->environment);
    free(bot->source);
    free(bot->command);
    free(bot->remote);
    free(bot->folder);
    free(bot->build);
}

void plan_free(struct plan *plan)
{
    if (plan == NULL)
        return;
    for (unsigned i = 0; i < plan->bot_count; i++)
        free_bot(&plan->bots[i]);
    free(plan->bots);
    free(plan->name);
    free(plan->folder);
    free(plan->output);
    free(plan->contain);
    free(plan);
}

/* At most one byte more than a file may have, so that plan_read() sees that it is too large. */
static char *load(const char *path, size_t *length)
{
    FILE *file = fopen(path, "re");
    char *bytes;

    if (file == NULL)
        return NULL;
    bytes = xcalloc(PLAN_FILE_MAX + 1, 1);
    *length = fread(bytes, 1, PLAN_FILE_MAX + 1, file);
    if (ferror(file)) {
        int why = errno;

        free(bytes);
        bytes = NULL;
        errno = why;
    }
    fclose(file);
    return bytes;
}

struct plan *plan_load(const char *path, plan_problem_fn *problem, void *context)
{
    char sentence[200];
    size_t length = 0;
    char *bytes = load(path, &length);
    struct plan *plan;

    if (bytes == NULL) {
        snprintf(sentence, sizeof sentence, "it cannot be read: %s", strerror(errno));
        problem(context, 0, 0, sentence);
        return NULL;
    }
    plan = plan_read(bytes, length, path, problem, context);
    free(bytes);
    return plan;
}

static void write_key(struct text *text, const char *path, const struct plan_key *key)
{
    const size_t width = 22;
    size_t start = text->length;

    text_add(text, "  ");
    plan_add_path(text, path, key->name);
    do
        text_add_char(text, ' ');
    while (text->length - start < width && !text->is_cut);
    text_add(text, key->meaning);
    text_add(text, "\n                      ");
    plan_add_takes(text, key);
    text_add(text, "; ");
    plan_add_otherwise(text, key);
    text_add_char(text, '\n');
}

void plan_write_keys(struct text *text)
{
    for (size_t i = 0; i < PLAN_KEY_COUNT; i++) {
        write_key(text, "", &plan_keys[i]);
        for (size_t j = 0; i == PLAN_BOTS && j < PLAN_BOT_KEYS; j++)
            write_key(text, "bots[]", &plan_bot_keys[j]);
    }
}
