/* Editions and variants. A name is looked up in the tables of the game; a file is read with the
 * tables and the list of mistakes of the tournament file. A file says which edition it changes by
 * name, never by another file, so reading one opens one. */

#include "tournament/config/variant.h"

#include "tournament/config/config_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".json"
#define PLACE_MAX 500

/* In the order in which they are read: config_rules.c says why. */
enum { EDITION, RULES, NAME, KEY_COUNT };

static const struct config_key keys[KEY_COUNT] = {
    [EDITION] = {"edition", "the edition that it changes", config_read_edition,
                 .takes = "the name of an edition or of a bundled variant",
                 .default_text = "\"de2026\""},
    [RULES] = CONFIG_RULES_KEY,
    [NAME] = {"name", "what it is called", config_read_variant, .takes = RULES_VARIANT_NAME_TAKES,
              .is_required = true},
};

/* A file that is being read, and who hears about its mistakes. */
struct listener {
    const char *path;
    variant_problem_fn *problem;
    void *context;
};

static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    const struct listener *listener = context;
    char place[PLACE_MAX];

    snprintf(place, sizeof place, "%s:%u:%u: ", listener->path, line, column);
    listener->problem(listener->context, place, sentence);
}

static void check(struct config_reader *reader, const struct config_map *map,
                  const struct json_node *root)
{
    if (map->found[NAME] == NULL)
        config_add_problem(reader, root->at, "name is missing: what the variant is called");
}

bool variant_is_file(const char *word)
{
    size_t length = strlen(word);

    return strchr(word, '/') != NULL ||
           (length > strlen(ENDING) && strcmp(word + length - strlen(ENDING), ENDING) == 0);
}

int variant_read_bytes(struct span file, const char *path, struct variant *variant,
                       variant_problem_fn *problem, void *context)
{
    struct listener listener = {path, problem, context};
    struct config_map map = {.keys = keys, .count = KEY_COUNT, .object = variant};
    struct config_reader reader = {.rules = &variant->rules,
                                   .variant = variant->name,
                                   .source = {file.length > 0 ? file.start : "", file.length}};

    *variant = (struct variant){.rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026)};
    config_read_document(&reader, &map, "{\"name\": ..., \"edition\": ..., \"rules\": {...}}",
                         check);
    if (reader.problem_count == 0)
        return 0;
    config_report_problems(&reader, on_problem, &listener);
    return -1;
}

static int read_path(const char *path, struct variant *variant, variant_problem_fn *problem,
                     void *context)
{
    char sentence[CONFIG_SENTENCE_MAX];
    size_t length = 0;
    char *bytes = config_load_bytes(path, &length);
    int result;

    if (bytes == NULL) {
        snprintf(sentence, sizeof sentence, "%s: cannot read it: %s", path, strerror(errno));
        problem(context, "", sentence);
        return -1;
    }
    result = variant_read_bytes((struct span){bytes, length}, path, variant, problem, context);
    free(bytes);
    return result;
}

int variant_read(const char *word, struct variant *variant, variant_problem_fn *problem,
                 void *context)
{
    const struct rules_variant *bundled = rules_variant_find(span_of(word));
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    if (variant_is_file(word))
        return read_path(word, variant, problem, context);
    *variant = (struct variant){.name = ""};
    text_start(&text, sentence, sizeof sentence);
    if (rules_read_edition(span_of(word), &variant->rules, &text) != 0) {
        problem(context, "", sentence);
        return -1;
    }
    if (bundled != NULL)
        snprintf(variant->name, sizeof variant->name, "%s", bundled->name);
    return 0;
}
