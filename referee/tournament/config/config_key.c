/* Maps of the file are read after tables. First every member is given to the key of its name, so that
 * keys which are unknown or come twice are found; then the keys are read in the order of the table,
 * whatever their order in the file, because some depend on others. A mistake is added to the list and
 * the reading goes on. */

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <stdlib.h>
#include <string.h>

/* Sentences. */

void config_add_path(struct text *text, const char *path, const char *name)
{
    text_add(text, path);
    if (path[0] != '\0')
        text_add_char(text, '.');
    text_add(text, name);
}

void config_add_nearest(struct text *text, struct span word, const char *const *names, size_t count)
{
    const char *nearest = text_nearest(word, names, count);

    if (nearest == NULL)
        return;
    text_add(text, "; did you mean ");
    text_add_quoted(text, span_of(nearest));
    text_add_char(text, '?');
}

void config_add_value(struct text *text, const struct json_node *node)
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

static size_t word_count(const struct config_key *key)
{
    size_t count = 0;

    while (count < ARRAY_LEN(key->words) && key->words[count] != NULL)
        count++;
    return count;
}

void config_add_takes(struct text *text, const struct config_key *key)
{
    size_t count = word_count(key);

    if (key->takes != NULL) {
        text_add(text, key->takes);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            text_add(text, i + 1 < count ? ", " : " or ");
        text_add_quoted(text, span_of(key->words[i]));
    }
    if (count > 0)
        return;
    text_add(text, "a number from ");
    text_add_number(text, key->least);
    text_add(text, " to ");
    text_add_number(text, key->most);
}

void config_add_otherwise(struct text *text, const struct config_key *key)
{
    if (key->is_required) {
        text_add(text, "it must be there");
        return;
    }
    text_add(text, "default: ");
    if (key->otherwise != NULL)
        text_add(text, key->otherwise);
    else if (word_count(key) > 0)
        text_add_quoted(text, span_of(key->words[key->standard]));
    else
        text_add_number(text, key->standard);
}

bool config_refuse(struct config_reader *reader, const struct config_map *map,
                   const struct config_key *key, const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    config_add_path(&text, map->path, key->name);
    text_add(&text, " takes ");
    config_add_takes(&text, key);
    text_add(&text, ", not ");
    config_add_value(&text, node);
    if (node->kind == JSON_TEXT)
        config_add_nearest(&text, (struct span){node->text, node->length}, key->words,
                           word_count(key));
    config_add_problem(reader, node->at, sentence);
    return false;
}

/* Values of one kind. */

static void store(const struct config_map *map, const struct config_key *key, long number)
{
    char *member = (char *)map->object + key->offset;
    uint32_t narrow = (uint32_t)number;
    bool is_set = number != 0;

    if (key->size == sizeof number)
        memcpy(member, &number, sizeof number);
    else if (key->size == sizeof narrow)
        memcpy(member, &narrow, sizeof narrow);
    else if (key->size == sizeof is_set)
        memcpy(member, &is_set, sizeof is_set);
}

static bool store_copy(const struct config_map *map, const struct config_key *key, char *copy)
{
    memcpy((char *)map->object + key->offset, (void *)&copy, sizeof copy);
    return true;
}

bool config_read_number(struct config_reader *reader, const struct config_map *map,
                        const struct config_key *key, const struct json_node *node)
{
    if (node->kind != JSON_NUMBER || node->number < key->least || node->number > key->most)
        return config_refuse(reader, map, key, node);
    store(map, key, (long)node->number);
    return true;
}

bool config_read_word(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    for (size_t i = 0; node->kind == JSON_TEXT && i < word_count(key); i++) {
        if (span_is((struct span){node->text, node->length}, key->words[i])) {
            store(map, key, (long)i);
            return true;
        }
    }
    return config_refuse(reader, map, key, node);
}

bool config_read_flag(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    if (node->kind != JSON_FLAG)
        return config_refuse(reader, map, key, node);
    store(map, key, (long)node->number);
    return true;
}

bool config_is_text(const struct json_node *node)
{
    return node->kind == JSON_TEXT && strlen(node->text) == node->length &&
           strspn(node->text, " \t\r\n") < node->length;
}

bool config_read_words(struct config_reader *reader, const struct config_map *map,
                       const struct config_key *key, const struct json_node *node)
{
    if (!config_is_text(node))
        return config_refuse(reader, map, key, node);
    return store_copy(map, key, xstrdup(node->text));
}

bool config_read_path(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    if (!config_is_text(node))
        return config_refuse(reader, map, key, node);
    return store_copy(map, key, config_path(reader->config, node->text));
}

/* Maps. */

void config_map_start(struct config_map *map)
{
    for (size_t i = 0; i < map->count; i++)
        store(map, &map->keys[i], map->keys[i].standard);
}

static void add_unknown(struct config_reader *reader, const struct config_map *map,
                        const struct json_node *node)
{
    const char *names[CONFIG_KEYS_IN_MAP];
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    for (size_t i = 0; i < map->count; i++)
        names[i] = map->keys[i].name;
    text_start(&text, sentence, sizeof sentence);
    text_add(&text, map->path);
    text_add(&text, map->path[0] != '\0' ? ": there is no key " : "there is no key ");
    text_add_quoted(&text, span_of(node->key));
    if (text_nearest(span_of(node->key), names, map->count) != NULL) {
        config_add_nearest(&text, span_of(node->key), names, map->count);
    } else {
        for (size_t i = 0; i < map->count; i++) {
            text_add(&text, i == 0 ? "; there are " : ", ");
            text_add(&text, names[i]);
        }
    }
    config_add_problem(reader, node->key_at, sentence);
}

void config_add_double(struct config_reader *reader, const char *path,
                       const struct json_node *first, const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    config_add_path(&text, path, node->key);
    text_add(&text, " is given twice: it stands in line ");
    text_add_number(&text, json_place_at(reader->source, first->key_at).line);
    text_add(&text, " already");
    config_add_problem(reader, node->key_at, sentence);
}

static void match_member(struct config_reader *reader, struct config_map *map,
                         const struct json_node *node)
{
    for (size_t i = 0; i < map->count; i++) {
        if (strcmp(node->key, map->keys[i].name) != 0)
            continue;
        if (map->found[i] != NULL)
            config_add_double(reader, map->path, map->found[i], node);
        else
            map->found[i] = node;
        return;
    }
    add_unknown(reader, map, node);
}

void config_map_read(struct config_reader *reader, struct config_map *map,
                     const struct json_node *node)
{
    for (const struct json_node *member = json_first(node); member != NULL;
         member = json_next(node, member))
        match_member(reader, map, member);
    for (size_t i = 0; i < map->count; i++) {
        if (map->found[i] != NULL)
            map->is_fine[i] = map->keys[i].read(reader, map, &map->keys[i], map->found[i]);
    }
}
