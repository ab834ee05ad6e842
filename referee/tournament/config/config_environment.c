/* Variables for the environment of a bot: a map of names and texts. */

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define VARIABLES_MAX 256

static bool is_variable(const char *name)
{
    if (name[0] == '\0' || isdigit((unsigned char)name[0]))
        return false;
    for (; *name != '\0'; name++) {
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    }
    return true;
}

static const struct json_node *find_before(const struct json_node *map,
                                           const struct json_node *node)
{
    const struct json_node *first = json_member(map, node->key);

    return first != node ? first : NULL;
}

/* Adds a mistake about one variable. */
static bool refuse_variable(struct config_reader *reader, const char *path, const char *why,
                            const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    text_add(&text, path);
    text_add(&text, ": ");
    text_add_quoted(&text, span_of(node->key));
    text_add(&text, why);
    if (is_variable(node->key))
        config_add_value(&text, node);
    config_add_problem(reader, is_variable(node->key) ? node->at : node->key_at, sentence);
    return false;
}

static bool read_variable(struct config_reader *reader, const char *path, struct config_bot *bot,
                          const struct json_node *node)
{
    char **end = bot->environment;
    size_t size;

    if (!is_variable(node->key))
        return refuse_variable(
            reader, path, " is no name of a variable: letters, digits and _, no digit first", node);
    if (node->kind != JSON_TEXT || strlen(node->text) != node->length)
        return refuse_variable(reader, path, " takes a text, not ", node);
    while (*end != NULL)
        end++;
    size = strlen(node->key) + node->length + 2;
    *end = xcalloc(size, 1);
    snprintf(*end, size, "%s=%s", node->key, node->text);
    return true;
}

bool config_read_environment(struct config_reader *reader, const struct config_map *map,
                             const struct config_key *key, const struct json_node *node)
{
    struct config_bot *bot = map->object;
    unsigned count = json_count(node);
    char path[60];
    bool is_fine = true;

    if (node->kind != JSON_MAP)
        return config_refuse(reader, map, key, node);
    snprintf(path, sizeof path, "%s.%s", map->path, key->name);
    if (count > VARIABLES_MAX) {
        char sentence[CONFIG_SENTENCE_MAX];

        snprintf(sentence, sizeof sentence, "%s takes at most %d variables, not %u", path,
                 VARIABLES_MAX, count);
        config_add_problem(reader, node->at, sentence);
        return false;
    }
    bot->environment = xrealloc((void *)bot->environment, (count + 1) * sizeof *bot->environment);
    memset((void *)bot->environment, 0, (count + 1) * sizeof *bot->environment);
    for (const struct json_node *value = json_first(node); value != NULL;
         value = json_next(node, value)) {
        const struct json_node *before = find_before(node, value);

        if (before != NULL)
            config_add_double(reader, path, before, value);
        is_fine = before == NULL && read_variable(reader, path, bot, value) && is_fine;
    }
    return is_fine;
}
