/* Mistakes are collected while the file is read, in the order in which keys are looked at, and
 * reported in the order of the file when all are known. */

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define REPORTED_MAX 50

struct config_problem {
    size_t at;
    size_t order; /* keeps those at one place as they came */
    char *sentence;
};

void config_add_problem(struct config_reader *reader, size_t at, const char *format, ...)
{
    char sentence[CONFIG_SENTENCE_MAX];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
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

void config_report_problems(struct config_reader *reader, config_problem_fn *problem, void *context)
{
    qsort(reader->problems, reader->problem_count, sizeof *reader->problems, compare);
    for (size_t i = 0; i < reader->problem_count && i <= REPORTED_MAX; i++) {
        struct json_place place = json_place_at(reader->source, reader->problems[i].at);
        const char *sentence = reader->problems[i].sentence;
        char rest[60];

        if (i == REPORTED_MAX && reader->problem_count > REPORTED_MAX + 1) {
            snprintf(rest, sizeof rest, "and %zu more mistakes from here on",
                     reader->problem_count - REPORTED_MAX);
            sentence = rest;
        }
        problem(context, place.line, place.column, sentence);
    }
    for (size_t i = 0; i < reader->problem_count; i++)
        free(reader->problems[i].sentence);
    free(reader->problems);
}

void config_write_path(struct text *text, const char *path, const char *name)
{
    text_printf(text, "%s%s%s", path, path[0] != '\0' ? "." : "", name);
}

void config_write_nearest(struct text *text, struct span word, const char *const *names,
                          size_t count)
{
    const char *nearest = text_nearest(word, names, count);

    if (nearest != NULL)
        text_printf(text, "; did you mean \"%s\"?", nearest);
}

void config_write_value(struct text *text, const struct json_node *node)
{
    const size_t digits_max = 40;

    switch (node->kind) {
    case JSON_NULL:
        text_add(text, "null");
        break;
    case JSON_FLAG:
        text_add(text, node->number != 0 ? "true" : "false");
        break;
    case JSON_NUMBER:
    case JSON_NO_INTEGER:
        text_add_bytes(text, node->text, node->length < digits_max ? node->length : digits_max);
        text_add(text, node->length > digits_max ? "..." : "");
        break;
    case JSON_TEXT:
        text_add_quoted(text, (struct span){node->text, node->length});
        break;
    case JSON_LIST:
        text_add(text, "a list");
        break;
    case JSON_MAP:
        text_add(text, "a map");
        break;
    }
}

void config_write_takes(struct text *text, const struct config_key *key)
{
    size_t count = config_choice_count(key);

    if (key->takes != NULL)
        text_add(text, key->takes);
    else if (count == 0)
        text_printf(text, "a number from %ld to %ld", key->least, key->most);
    else
        for (size_t i = 0; i < count; i++)
            text_printf(text, "%s\"%s\"",
                        i == 0          ? ""
                        : i + 1 < count ? ", "
                                        : " or ",
                        key->choices[i]);
}

void config_write_default(struct text *text, const struct config_key *key)
{
    if (key->is_required)
        text_add(text, "required");
    else if (key->default_text != NULL)
        text_printf(text, "default: %s", key->default_text);
    else if (key->choices[0] != NULL)
        text_printf(text, "default: \"%s\"", key->choices[key->default_value]);
    else
        text_printf(text, "default: %ld", key->default_value);
}

bool config_refuse(struct config_reader *reader, const struct config_map *map,
                   const struct config_key *key, const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    config_write_path(&text, map->path, key->name);
    text_add(&text, " takes ");
    config_write_takes(&text, key);
    text_add(&text, ", not ");
    config_write_value(&text, node);
    if (node->kind == JSON_TEXT)
        config_write_nearest(&text, (struct span){node->text, node->length}, key->choices,
                             config_choice_count(key));
    config_add_problem(reader, node->at, "%s", sentence);
    return false;
}

void config_refuse_twice(struct config_reader *reader, const char *path,
                         const struct json_node *first, const struct json_node *node)
{
    config_add_problem(reader, node->key_at, "%s%s%s is given twice: it is already in line %u",
                       path, path[0] != '\0' ? "." : "", node->key,
                       json_place_at(reader->source, first->key_at).line);
}

void config_refuse_unknown(struct config_reader *reader, const struct config_map *map,
                           const struct json_node *node)
{
    const char *names[CONFIG_KEYS_IN_MAP];
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    for (size_t i = 0; i < map->count; i++)
        names[i] = map->keys[i].name;
    text_start(&text, sentence, sizeof sentence);
    text_printf(&text, "%s%sthere is no key ", map->path, map->path[0] != '\0' ? ": " : "");
    text_add_quoted(&text, span_of(node->key));
    if (text_nearest(span_of(node->key), names, map->count) != NULL) {
        config_write_nearest(&text, span_of(node->key), names, map->count);
    } else {
        for (size_t i = 0; i < map->count; i++)
            text_printf(&text, "%s%s", i == 0 ? "; there are " : ", ", names[i]);
    }
    config_add_problem(reader, node->key_at, "%s", sentence);
}
