/* Edition, rule keys and the name that they have together. The game's table of rule keys says what
 * each takes; this file adds the forms that JSON has: numbers, and true and false for rules that
 * are on or off. The three are read in that order: a bundled variant or a file brings its name
 * along, a rule that changes it makes that name wrong, and a name that is given has the last
 * word. */

#include "base/memory.h"
#include "game/rules.h"
#include "tournament/config/config_private.h"
#include "tournament/config/variant.h"

#include <stdlib.h>
#include <string.h>

#define RULES_PATH "rules"

/* A mistake in an edition: where it is in the file, and in which one. */
struct edition_place {
    struct config_reader *reader;
    size_t at;
};

static void on_edition_problem(void *context, const char *in_file, const char *sentence)
{
    const struct edition_place *place = context;

    config_add_problem(place->reader, place->at, "edition: %s%s", in_file, sentence);
}

/* The file of a variant, or a name. */
static int read_variant(struct config_reader *reader, const struct json_node *node,
                        struct variant *variant)
{
    struct edition_place place = {reader, node->at};
    char *path;
    int result;

    if (!variant_is_file(node->text))
        return variant_read(node->text, variant, on_edition_problem, &place);
    if (!reader->opens_files) {
        on_edition_problem(&place, "",
                           "here it takes a name, not a file: write what is in the file "
                           "into the keys \"edition\" and \"rules\"");
        return -1;
    }
    path = config_path(reader->config, node->text);
    result = variant_read(path, variant, on_edition_problem, &place);
    free(path);
    return result;
}

bool config_read_edition(struct config_reader *reader, const struct config_map *map,
                         const struct config_key *key, const struct json_node *node)
{
    struct variant variant;

    if (!config_is_text(node))
        return config_refuse(reader, map, key, node);
    if (read_variant(reader, node, &variant) != 0)
        return false;
    *reader->rules = variant.rules;
    memcpy(reader->variant, variant.name, sizeof variant.name);
    return true;
}

bool config_read_variant(struct config_reader *reader, const struct config_map *map,
                         const struct config_key *key, const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];
    struct span name = {node->text, node->length};
    struct text text;

    if (node->kind != JSON_TEXT || !span_is_name(name, RULES_VARIANT_NAME_MAX))
        return config_refuse(reader, map, key, node);
    text_start(&text, sentence, sizeof sentence);
    if (rules_variant_check_name(name, reader->rules, &text) != 0) {
        config_add_problem(reader, node->at, "%s: %s", key->name, sentence);
        return false;
    }
    memcpy(reader->variant, name.start, name.length + 1);
    return true;
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
        (void)rules_set(reader->rules, span_of(node->key), span_of(""), &text);
        config_add_problem(reader, node->key_at, RULES_PATH ": %s", sentence);
        return false;
    }
    if (node->kind == JSON_NULL || node->kind == JSON_LIST || node->kind == JSON_MAP) {
        text_printf(&text, "%s takes ", key->name);
        rules_write_allowed(&text, key);
        text_add(&text, ", not ");
        config_write_value(&text, node);
    } else if (rules_set(reader->rules, span_of(node->key), value_text(key, node), &text) == 0) {
        return true;
    }
    config_add_problem(reader, node->at, RULES_PATH ".%s", sentence);
    return false;
}

bool config_read_rules(struct config_reader *reader, const struct config_map *map,
                       const struct config_key *key, const struct json_node *node)
{
    const struct allegra_rules before = *reader->rules;
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
    if (!rules_are_same(&before, reader->rules))
        reader->variant[0] = '\0';
    return is_fine;
}
