/* `referee rules` prints the editions, the rule keys, the differences between editions and the
 * bundled variants, all from the tables of the game; with --explain, the game itself. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/explain.h"
#include "cli/options_rules.h"
#include "game/rules.h"
#include "wire/json_write.h"

#include <stdbool.h>
#include <stdio.h>

struct settings {
    bool is_json;
    bool is_explained;
};

static const struct option_row rows[] = {
    {"--explain", NULL, "explain the game, with examples",
     OPTION_FLAG(struct settings, is_explained)},
    {"--json", NULL, "print one JSON document", OPTION_FLAG(struct settings, is_json)},
    {.name = NULL},
};

static const struct options options = {
    .command = "rules",
    .usage = "[EDITION] [--explain | --json]",
    .purpose =
        "Prints the rule keys with their values and meaning, where the editions differ, and the\n"
        "bundled variants; with an EDITION, that edition's value of each key. An EDITION can be a\n"
        "variant, too: the name of a bundled one, or a file {\"name\", \"edition\", \"rules\"}.\n"
        "--explain explains the game to a person who has never seen it, in all editions or in "
        "one.\n",
    .examples = "  referee rules\n"
                "  referee rules en2020\n"
                "  referee rules en2020-66\n"
                "  referee rules house.json\n"
                "  referee rules --explain en2020 | less\n"
                "  referee rules --json | jq '.editions.en2020.knock_hand'\n",
    .rows = rows,
    .takes = "at most one EDITION",
    .most = 1,
};

#define VALUE_MAX 80

static const char *value_text(char *buffer, const struct allegra_rules *rules,
                              const struct rules_key *key)
{
    struct text text;

    text_start(&text, buffer, VALUE_MAX);
    rules_write_value(&text, rules, key);
    return buffer;
}

static const char *allowed_text(char *buffer, const struct rules_key *key)
{
    struct text text;

    text_start(&text, buffer, VALUE_MAX);
    rules_write_allowed(&text, key);
    return buffer;
}

static bool editions_differ(const struct rules_key *key)
{
    struct allegra_rules first = allegra_rules_of_edition(0);

    for (unsigned i = 1; i < ALLEGRA_EDITION_COUNT; i++) {
        struct allegra_rules other = allegra_rules_of_edition((enum allegra_edition)i);

        if (!rules_same_value(&first, &other, key))
            return true;
    }
    return false;
}

static void print_variants(void)
{
    puts("\nbundled variants (--edition takes them, too):");
    for (size_t i = 0; i < RULES_VARIANT_COUNT; i++) {
        const struct rules_variant *variant = rules_variant_at(i);

        printf("  %-19s %s with %s: %s\n", variant->name, allegra_edition_name(variant->edition),
               variant->change, variant->meaning);
    }
}

static void print_all(void)
{
    char buffer[VALUE_MAX];

    printf("editions:");
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++)
        printf(" %s%s", allegra_edition_name((enum allegra_edition)i), i == 0 ? " (default)" : "");
    puts("\n\nkeys (set one with --set key=value):");
    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);

        printf("  %-19s %s\n", key->name, allowed_text(buffer, key));
        printf("  %-19s   %s\n", "", key->meaning);
    }
    printf("\nwhere the editions differ:\n  %-19s", "");
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++)
        printf(" %-11s", allegra_edition_name((enum allegra_edition)i));
    putchar('\n');
    for (size_t k = 0; k < rules_key_count(); k++) {
        const struct rules_key *key = rules_key_at(k);

        if (!editions_differ(key))
            continue;
        printf("  %-19s", key->name);
        for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++) {
            struct allegra_rules rules = allegra_rules_of_edition((enum allegra_edition)i);

            printf(" %-11s", value_text(buffer, &rules, key));
        }
        putchar('\n');
    }
    print_variants();
    puts("\nreferee rules --explain [EDITION] explains the game.");
}

static void print_edition(const struct allegra_rules *rules, const char *variant)
{
    char changes[RULES_CHANGES_MAX];
    char buffer[VALUE_MAX];
    struct text text;

    text_start(&text, changes, sizeof changes);
    rules_write_changes(&text, rules, " ");
    if (variant[0] != '\0')
        printf("# %s: %s%s%s\n", variant,
               allegra_edition_name((enum allegra_edition)rules->edition),
               text.length > 0 ? " with" : "", changes);
    for (size_t i = 0; i < rules_key_count(); i++)
        printf("%s=%s\n", rules_key_at(i)->name, value_text(buffer, rules, rules_key_at(i)));
}

static void write_deck(struct json_writer *json, const struct allegra_rules *rules)
{
    json_open_list(json);
    for (unsigned i = 0; i < ALLEGRA_CARD_VALUES; i++)
        json_number(json, rules->deck[i]);
    json_close_list(json);
}

static void write_values(struct json_writer *json, const struct allegra_rules *rules)
{
    char buffer[VALUE_MAX];

    json_open_map(json);
    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);

        json_key(json, key->name);
        if (key->kind == RULES_KEY_DECK)
            write_deck(json, rules);
        else if (key->kind == RULES_KEY_NUMBER)
            json_number(json, (long long)rules_number(rules, key));
        else
            json_text(json, value_text(buffer, rules, key));
    }
    json_close_map(json);
}

static void write_keys(struct json_writer *json)
{
    char buffer[VALUE_MAX];

    json_open_list(json);
    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);

        json_open_map(json);
        json_put_text(json, "key", key->name);
        json_put_text(json, "values", allowed_text(buffer, key));
        json_put_text(json, "meaning", key->meaning);
        json_put_flag(json, "differs", editions_differ(key));
        json_close_map(json);
    }
    json_close_list(json);
}

static void write_editions(struct json_writer *json)
{
    json_open_map(json);
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++) {
        struct allegra_rules rules = allegra_rules_of_edition((enum allegra_edition)i);

        json_key(json, allegra_edition_name((enum allegra_edition)i));
        write_values(json, &rules);
    }
    json_close_map(json);
}

static void write_variants(struct json_writer *json)
{
    json_open_map(json);
    for (size_t i = 0; i < RULES_VARIANT_COUNT; i++) {
        const struct rules_variant *variant = rules_variant_at(i);
        struct allegra_rules rules = rules_variant_rules(variant);

        json_key(json, variant->name);
        json_open_map(json);
        json_put_text(json, "edition", allegra_edition_name(variant->edition));
        json_put_text(json, "change", variant->change);
        json_put_text(json, "meaning", variant->meaning);
        json_key(json, "rules");
        write_values(json, &rules);
        json_close_map(json);
    }
    json_close_map(json);
}

static void print_json(const struct allegra_rules *edition)
{
    struct json_writer *json = json_writer_new(true);
    size_t length;
    const char *bytes;

    if (edition != NULL) {
        write_values(json, edition);
    } else {
        json_open_map(json);
        json_put_text(json, "default", allegra_edition_name(0));
        json_key(json, "keys");
        write_keys(json);
        json_key(json, "editions");
        write_editions(json);
        json_key(json, "variants");
        write_variants(json);
        json_close_map(json);
    }
    bytes = json_writer_bytes(json, &length);
    fwrite(bytes, 1, length, stdout);
    json_writer_free(json);
}

int cli_rules(int argc, char **argv)
{
    struct settings settings = {.is_json = false};
    struct options_rules edition = options_rules_default();
    int code;
    int count = options_read(&options, argc, argv, &settings, &code);

    if (count < 0)
        return code;
    if (count > 0 && options_rules_read_edition(&edition, argv[1], "") != 0)
        return CLI_USAGE;
    if (settings.is_explained && settings.is_json) {
        message_say("--explain and --json do not go together");
        return CLI_USAGE;
    }
    if (settings.is_explained)
        explain_print(stdout, count > 0 ? &edition.rules : NULL, edition.variant);
    else if (settings.is_json)
        print_json(count > 0 ? &edition.rules : NULL);
    else if (count > 0)
        print_edition(&edition.rules, edition.variant);
    else
        print_all();
    return CLI_FINE;
}
