/* Mistakes are collected while the file is read, in the order in which keys are looked at, and told in
 * the order of the file when all are known. */

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <stdlib.h>

#define TOLD_MAX 50

struct config_problem {
    size_t at;
    size_t order; /* keeps those at one place as they came */
    char *sentence;
};

void config_add_problem(struct config_reader *reader, size_t at, const char *sentence)
{
    if (reader->problem_count == reader->problem_capacity) {
        reader->problem_capacity = 2 * reader->problem_capacity + 16;
        reader->problems =
            xrealloc(reader->problems, reader->problem_capacity * sizeof *reader->problems);
    }
    reader->problems[reader->problem_count] =
        (struct config_problem){at, reader->problem_count, xstrdup(sentence)};
    reader->problem_count++;
}

static int compare(const void *left, const void *right)
{
    const struct config_problem *one = left;
    const struct config_problem *other = right;

    if (one->at != other->at)
        return one->at < other->at ? -1 : 1;
    return one->order < other->order ? -1 : one->order > other->order;
}

static void tell_rest(const struct config_reader *reader, struct json_place place,
                      config_problem_fn *problem, void *context)
{
    char sentence[100];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    text_add(&text, "from here on there are ");
    text_add_number(&text, (long)(reader->problem_count - TOLD_MAX));
    text_add(&text, " more");
    problem(context, place.line, place.column, sentence);
}

void config_tell_problems(const struct config_reader *reader, config_problem_fn *problem,
                          void *context)
{
    qsort(reader->problems, reader->problem_count, sizeof *reader->problems, compare);
    for (size_t i = 0; i < reader->problem_count && i <= TOLD_MAX; i++) {
        struct json_place place = json_place_at(reader->source, reader->problems[i].at);

        if (i < TOLD_MAX || reader->problem_count == TOLD_MAX + 1)
            problem(context, place.line, place.column, reader->problems[i].sentence);
        else
            tell_rest(reader, place, problem, context);
    }
}

void config_free_problems(struct config_reader *reader)
{
    for (size_t i = 0; i < reader->problem_count; i++)
        free(reader->problems[i].sentence);
    free(reader->problems);
}
