/* Edition and rule keys. The game's table of rule keys says what each takes; this file adds the
 * forms that JSON has: numbers, and true and false for rules that are on or off. */

#include "base/memory.h"
#include "game/rules.h"
#include "tournament/config/config_private.h"

#include <stdlib.h>
#include <string.h>

#define RULES_PATH "rules"

bool config_read_edition(struct config_reader *reader, const struct config_map *map,
                         const struct config_key *key, const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    if (node->kind != JSON_TEXT)
        return config_refuse(reader, map, key, node);
    text_start(&text, sentence, sizeof sentence);
    if (rules_read_edition((struct span){node->text, node->length}, &reader->config->rules,
                           &text) == 0)
        return true;
    config_add_problem(reader, node->at, "edition: %s", sentence);
    return false;
}

/* The index of a rule key in its table; their number if there is none of that name. */
static size_t find_rule(const char *name)
{
    size_t i = 0;

    while (i < rules_key_count() && strcmp(rules_key_at(i)->name, name) != 0)
        i++;
    return i;
}

/* The value as text, which is what the rules read. */
static struct span value_text(const struct rules_key *key, const struct json_node *node)
{
    if (node->kind != JSON_FLAG)
        return (struct span){node->text, node->length};
    if (key->kind == RULES_KEY_NAME &&
        (strcmp(key->names[0], "off") == 0 || strcmp(key->names[0], "no") == 0))
        return span_of(key->names[node->number]);
    return span_of(node->number != 0 ? "true" : "false");
}

/* `key` is NULL for a rule that does not exist. */
static bool read_rule(struct config_reader *reader, const struct rules_key *key,
                      const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    if (key == NULL) {
        (void)rules_set(&reader->config->rules, span_of(node->key), span_of(""), &text);
        config_add_problem(reader, node->key_at, RULES_PATH ": %s", sentence);
        return false;
    }
    if (node->kind == JSON_NULL || node->kind == JSON_LIST || node->kind == JSON_MAP) {
        text_printf(&text, "%s takes ", key->name);
        rules_write_allowed(&text, key);
        text_add(&text, ", not ");
        config_write_value(&text, node);
    } else if (rules_set(&reader->config->rules, span_of(node->key), value_text(key, node),
                         &text) == 0) {
        return true;
    }
    config_add_problem(reader, node->at, RULES_PATH ".%s", sentence);
    return false;
}

bool config_read_rules(struct config_reader *reader, const struct config_map *map,
                       const struct config_key *key, const struct json_node *node)
{
    const struct json_node **found;
    bool is_fine = true;

    if (node->kind != JSON_MAP)
        return config_refuse(reader, map, key, node);
    found = xcalloc(rules_key_count() + 1, sizeof(const struct json_node *));
    for (const struct json_node *member = json_first(node); member != NULL;
         member = json_next(node, member)) {
        size_t rule = find_rule(member->key);
        bool is_known = rule < rules_key_count();

        if (is_known && found[rule] != NULL) {
            config_refuse_twice(reader, RULES_PATH, found[rule], member);
            is_fine = false;
        } else if (!read_rule(reader, is_known ? rules_key_at(rule) : NULL, member)) {
            is_fine = false;
        }
        found[rule] = member;
    }
    free((void *)found);
    return is_fine;
}
