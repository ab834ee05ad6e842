/* Checks that need several keys: whether the bots fill a table, whether keys go with the format,
 * whether the deck is large enough; and defaults that depend on other keys. A check is silent if a
 * value that it needs has a mistake of its own, which is reported already. */

#include "base/memory.h"
#include "game/rules.h"
#include "tournament/config/config_private.h"

#include <stdlib.h>
#include <string.h>

#define SEATS_DEFAULT 4
#define DEALS_SINGLE 100
#define DEALS_REPEATED 10
#define ROUNDS_LEAST 3

/* Whether the key is not in the file, or its value is fine. */
static bool is_known(const struct config_map *map, enum config_key_number key)
{
    return map->found[key] == NULL || map->is_fine[key];
}

/* Where the value is; or the start of the map, if it is not there. */
static size_t place_of(const struct config_map *map, enum config_key_number key,
                       const struct json_node *root)
{
    return map->found[key] != NULL ? map->found[key]->at : root->at;
}

static void check_deck(struct config_reader *reader, const struct config_map *map,
                       const struct json_node *root)
{
    const struct json_node *deck = json_member(map->found[CONFIG_RULES], "deck");
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    if (!is_known(map, CONFIG_EDITION) || !is_known(map, CONFIG_RULES) ||
        !is_known(map, CONFIG_SEATS))
        return;
    text_start(&text, sentence, sizeof sentence);
    if (rules_check(&reader->config->rules, reader->config->schedule.seats, &text) != 0)
        config_add_problem(reader, deck != NULL ? deck->at : place_of(map, CONFIG_SEATS, root),
                           "rules: %s", sentence);
}

/* Keys that go only with some formats. */
static const struct {
    enum config_key_number key;
    bool goes_with[SCHEDULE_FORMAT_COUNT];
} format_keys[] = {
    {CONFIG_HERO, {[SCHEDULE_GAUNTLET] = true}},
    {CONFIG_ROUNDS, {[SCHEDULE_SWISS] = true}},
    {CONFIG_MATCHES, {[SCHEDULE_ROUND_ROBIN] = true, [SCHEDULE_GAUNTLET] = true}},
};

static void check_format(struct config_reader *reader, const struct config_map *map)
{
    enum schedule_format format = reader->config->schedule.format;

    for (size_t i = 0; i < ARRAY_LEN(format_keys) && is_known(map, CONFIG_FORMAT); i++) {
        const struct json_node *node = map->found[format_keys[i].key];
        char sentence[CONFIG_SENTENCE_MAX];
        struct text text;

        if (node == NULL || format_keys[i].goes_with[format])
            continue;
        text_start(&text, sentence, sizeof sentence);
        text_printf(&text, "%s goes with the format", node->key);
        for (size_t j = 0, count = 0; j < SCHEDULE_FORMAT_COUNT; j++) {
            if (format_keys[i].goes_with[j])
                text_printf(&text, "%s\"%s\"", count++ > 0 ? " or " : " ",
                            schedule_format_names[j]);
        }
        config_add_problem(reader, node->key_at, "%s, not with \"%s\"", sentence,
                           schedule_format_names[format]);
    }
}

static void check_hero(struct config_reader *reader, const struct config_map *map)
{
    struct config *config = reader->config;
    const struct json_node *node = map->found[CONFIG_HERO];
    const char **names = xcalloc(config->bot_count + 1, sizeof *names);
    bool is_found = node == NULL || !map->is_fine[CONFIG_HERO] || config->bot_count == 0;
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    for (unsigned i = 0; i < config->bot_count && !is_found; i++) {
        names[i] = config->bots[i].name;
        if (names[i][0] == '\0') {
            is_found = true; /* it may be the one without a name, which is reported already */
        } else if (strcmp(names[i], node->text) == 0) {
            config->schedule.hero = i;
            is_found = true;
        }
    }
    if (!is_found) {
        text_start(&text, sentence, sizeof sentence);
        text_add(&text, "hero takes the name of one of the bots, not ");
        config_write_value(&text, node);
        config_write_nearest(&text, span_of(node->text), names, config->bot_count);
        config_add_problem(reader, node->at, "%s", sentence);
    }
    free((void *)names);
}

/* With five seats or more there are too many orders of the bots around the table to play them all.
 * A deal that is played once makes one match, so there are more deals by default. */
static void check_seatings(struct config_reader *reader, const struct config_map *map)
{
    struct schedule_setup *schedule = &reader->config->schedule;

    if (map->found[CONFIG_DEALS] == NULL)
        schedule->deals = schedule->seatings == SCHEDULE_SINGLE ? DEALS_SINGLE : DEALS_REPEATED;
    if (map->is_fine[CONFIG_SEATINGS] && schedule->seatings == SCHEDULE_ALL &&
        schedule->seats > SEATS_DEFAULT)
        config_add_problem(reader, map->found[CONFIG_SEATINGS]->at,
                           "seatings takes \"rotations\" or \"single\" with %u seats: \"all\" is "
                           "for %d at most",
                           schedule->seats, SEATS_DEFAULT);
}

/* The owner of a remote bot could keep the cards of a deal for the next match with it. */
static void check_remote(struct config_reader *reader, const struct config_map *map)
{
    const struct config *config = reader->config;
    unsigned number = 0;

    while (number < config->bot_count && config->bots[number].remote == NULL)
        number++;
    if (number < config->bot_count && map->is_fine[CONFIG_BOTS] && map->is_fine[CONFIG_SEATINGS] &&
        config->schedule.seatings != SCHEDULE_SINGLE)
        config_add_problem(reader, map->found[CONFIG_SEATINGS]->at,
                           "seatings takes \"single\" with a remote bot such as bots[%u]: nobody "
                           "may see a deal twice",
                           number);
}

void config_check(struct config_reader *reader, const struct config_map *map,
                  const struct json_node *root)
{
    const struct config *config = reader->config;
    struct schedule_setup *schedule = &reader->config->schedule;
    unsigned bots = config->bot_count;

    schedule->bots = bots;
    if (schedule->seats == 0)
        schedule->seats = bots < SEATS_DEFAULT && bots >= ALLEGRA_SEATS_MIN ? bots : SEATS_DEFAULT;
    if (schedule->format == SCHEDULE_SWISS && map->found[CONFIG_ROUNDS] == NULL) {
        /* If the better bot always won, one bot would be left that has never lost. */
        schedule->rounds = ROUNDS_LEAST;
        while (1U << schedule->rounds < bots)
            schedule->rounds++;
    }
    if (map->found[CONFIG_BOTS] == NULL)
        config_add_problem(reader, root->at, "bots is missing: a list of the bots that play");
    if (map->is_fine[CONFIG_SEATS] && config->bots != NULL && bots < schedule->seats &&
        bots >= ALLEGRA_SEATS_MIN)
        config_add_problem(reader, map->found[CONFIG_SEATS]->at,
                           "seats is %u, but there are only %u bots", schedule->seats, bots);
    check_deck(reader, map, root);
    check_format(reader, map);
    check_hero(reader, map);
    check_seatings(reader, map);
    check_remote(reader, map);
}
