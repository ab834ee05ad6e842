/* What no key alone can tell: whether bots fill a table, whether keys go with the format, whether the
 * deck is large enough. And what holds without a key where that depends on others. Each check keeps
 * quiet if a value that it needs is wrong by itself: that was said already. */

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEATS_STANDARD 4
#define ROUNDS_LEAST 3

/* Whether the file does not say it, or says it well. */
static bool is_known(const struct config_map *map, enum config_key_number key)
{
    return map->found[key] == NULL || map->is_fine[key];
}

/* Where the file says it; else where the map begins that does not. */
static size_t place_of(const struct config_map *map, enum config_key_number key,
                       const struct json_node *root)
{
    return map->found[key] != NULL ? map->found[key]->at : root->at;
}

static void check_seats(struct config_reader *reader, const struct config_map *map)
{
    const struct config *config = reader->config;
    char sentence[CONFIG_SENTENCE_MAX];

    if (!map->is_fine[CONFIG_SEATS] || config->bots == NULL ||
        config->bot_count >= config->schedule.seats || config->bot_count < ALLEGRA_SEATS_MIN)
        return;
    snprintf(sentence, sizeof sentence, "seats is %u, but there are only %u bots",
             config->schedule.seats, config->bot_count);
    config_add_problem(reader, map->found[CONFIG_SEATS]->at, sentence);
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
    text_add(&text, "rules: ");
    if (rules_check(&reader->config->rules, reader->config->schedule.seats, &text) != 0)
        config_add_problem(reader, deck != NULL ? deck->at : place_of(map, CONFIG_SEATS, root),
                           sentence);
}

/* Keys of one format in another. */
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
        text_add(&text, node->key);
        text_add(&text, " goes with the format");
        for (size_t j = 0, count = 0; j < SCHEDULE_FORMAT_COUNT; j++) {
            if (!format_keys[i].goes_with[j])
                continue;
            text_add(&text, count++ > 0 ? " or " : " ");
            text_add_quoted(&text, span_of(config_keys[CONFIG_FORMAT].words[j]));
        }
        text_add(&text, ", not with ");
        text_add_quoted(&text, span_of(config_keys[CONFIG_FORMAT].words[format]));
        config_add_problem(reader, node->key_at, sentence);
    }
}

static void refuse_hero(struct config_reader *reader, const struct json_node *node)
{
    const struct config *config = reader->config;
    const char **names = xcalloc(config->bot_count + 1, sizeof *names);
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    for (unsigned i = 0; i < config->bot_count; i++)
        names[i] = config->bots[i].name;
    text_start(&text, sentence, sizeof sentence);
    text_add(&text, "hero takes the name of one of the bots, not ");
    config_add_value(&text, node);
    config_add_nearest(&text, span_of(node->text), names, config->bot_count);
    config_add_problem(reader, node->at, sentence);
    free((void *)names);
}

static bool are_all_named(const struct config *config)
{
    for (unsigned i = 0; i < config->bot_count; i++) {
        if (config->bots[i].name[0] == '\0')
            return false;
    }
    return config->bot_count > 0;
}

static void check_hero(struct config_reader *reader, const struct config_map *map)
{
    struct config *config = reader->config;
    const struct json_node *node = map->found[CONFIG_HERO];

    if (node == NULL || !map->is_fine[CONFIG_HERO] || !are_all_named(config))
        return;
    for (unsigned i = 0; i < config->bot_count; i++) {
        if (strcmp(config->bots[i].name, node->text) == 0) {
            config->schedule.hero = i;
            return;
        }
    }
    refuse_hero(reader, node);
}

/* All orders of the bots around the table are too many from five seats on. */
static void check_seatings(struct config_reader *reader, const struct config_map *map)
{
    struct schedule_setup *schedule = &reader->config->schedule;
    bool is_large = schedule->seats > SEATS_STANDARD;
    char sentence[CONFIG_SENTENCE_MAX];

    if (map->found[CONFIG_SEATINGS] == NULL)
        schedule->seatings = is_large ? SCHEDULE_ROTATIONS : SCHEDULE_ALL;
    if (!map->is_fine[CONFIG_SEATINGS] || schedule->seatings != SCHEDULE_ALL || !is_large)
        return;
    snprintf(sentence, sizeof sentence,
             "seatings takes \"rotations\" or \"single\" with %u seats: \"all\" is for %d at most",
             schedule->seats, SEATS_STANDARD);
    config_add_problem(reader, map->found[CONFIG_SEATINGS]->at, sentence);
}

/* Whoever plays on his own machine could keep the cards of a deal for its next match. */
static void check_remote(struct config_reader *reader, const struct config_map *map,
                         const struct json_node *root)
{
    const struct config *config = reader->config;
    char sentence[CONFIG_SENTENCE_MAX];
    unsigned number = 0;

    while (number < config->bot_count && config->bots[number].remote == NULL)
        number++;
    if (number == config->bot_count || !map->is_fine[CONFIG_BOTS] ||
        !is_known(map, CONFIG_SEATINGS) || config->schedule.seatings == SCHEDULE_SINGLE)
        return;
    snprintf(
        sentence, sizeof sentence,
        "seatings takes \"single\" where a bot runs elsewhere, as bots[%u] does: nobody may see "
        "a deal twice",
        number);
    config_add_problem(reader, place_of(map, CONFIG_SEATINGS, root), sentence);
}

/* So many that of bots which always win or lose, one would be left that never lost. */
static unsigned rounds_for(unsigned bots)
{
    unsigned rounds = ROUNDS_LEAST;

    while (1U << rounds < bots)
        rounds++;
    return rounds;
}

void config_check(struct config_reader *reader, const struct config_map *map,
                  const struct json_node *root)
{
    struct config *config = reader->config;
    struct schedule_setup *schedule = &config->schedule;

    schedule->bots = config->bot_count;
    if (schedule->seats == 0)
        schedule->seats =
            config->bot_count < SEATS_STANDARD && config->bot_count >= ALLEGRA_SEATS_MIN
                ? config->bot_count
                : SEATS_STANDARD;
    if (schedule->format == SCHEDULE_SWISS && map->found[CONFIG_ROUNDS] == NULL)
        schedule->rounds = rounds_for(config->bot_count);
    if (map->found[CONFIG_BOTS] == NULL)
        config_add_problem(reader, root->at, "bots is missing: a list of the bots that play");
    check_seats(reader, map);
    check_deck(reader, map, root);
    check_format(reader, map);
    check_hero(reader, map);
    check_seatings(reader, map);
    check_remote(reader, map, root);
}
