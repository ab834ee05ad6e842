/* Edition and rule keys. The table of rule keys is the game's: it says what each takes, and here only the
 * ways in which JSON can say it are added: numbers, and true and false for those that are on or off. */

#include "base/memory.h"
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
    text_add(&text, "edition: ");
    if (rules_read_edition((struct span){node->text, node->length}, &reader->config->rules,
                           &text) == 0)
        return true;
    config_add_problem(reader, node->at, sentence);
    return false;
}

/* The place of a rule key in its table; their number if there is none of that name. */
static size_t find_rule(const char *name)
{
    size_t i = 0;

    while (i < allegra_rules_key_count() && strcmp(allegra_rules_key_at(i)->name, name) != 0)
        i++;
    return i;
}

static bool is_switch(const struct allegra_rules_key *key)
{
    return key->kind == ALLEGRA_RULES_WORD &&
           (strcmp(key->words[0], "off") == 0 || strcmp(key->words[0], "no") == 0);
}

/* The value as the rules want it: in letters. */
static struct span letters_of(const struct allegra_rules_key *key, const struct json_node *node)
{
    if (node->kind != JSON_FLAG)
        return (struct span){node->text, node->length};
    if (is_switch(key))
        return span_of(key->words[node->number]);
    return span_of(node->number != 0 ? "true" : "false");
}

static bool refuse_kind(struct config_reader *reader, const struct allegra_rules_key *key,
                        const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    config_add_path(&text, RULES_PATH, key->name);
    text_add(&text, " takes ");
    rules_write_allowed(&text, key);
    text_add(&text, ", not ");
    config_add_value(&text, node);
    config_add_problem(reader, node->at, sentence);
    return false;
}

/* The sentence of the rules begins with the key if that is known. */
static bool read_rule(struct config_reader *reader, const struct allegra_rules_key *key,
                      const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    text_add(&text, key != NULL ? RULES_PATH "." : RULES_PATH ": ");
    if (key != NULL &&
        (node->kind == JSON_NULL || node->kind == JSON_LIST || node->kind == JSON_MAP))
        return refuse_kind(reader, key, node);
    if (rules_set(&reader->config->rules, span_of(node->key),
                  key != NULL ? letters_of(key, node) : span_of(""), &text) == 0)
        return true;
    config_add_problem(reader, key != NULL ? node->at : node->key_at, sentence);
    return false;
}

bool config_read_rules(struct config_reader *reader, const struct config_map *map,
                       const struct config_key *key, const struct json_node *node)
{
    const struct json_node **found;
    bool is_fine = true;

    if (node->kind != JSON_MAP)
        return config_refuse(reader, map, key, node);
    found = xcalloc(allegra_rules_key_count() + 1, sizeof(const struct json_node *));
    for (const struct json_node *member = json_first(node); member != NULL;
         member = json_next(node, member)) {
        size_t rule = find_rule(member->key);
        bool is_known = rule < allegra_rules_key_count();

        if (is_known && found[rule] != NULL) {
            config_add_double(reader, RULES_PATH, found[rule], member);
            is_fine = false;
        } else if (!read_rule(reader, is_known ? allegra_rules_key_at(rule) : NULL, member)) {
            is_fine = false;
        }
        found[rule] = member;
    }
    free((void *)found);
    return is_fine;
}
