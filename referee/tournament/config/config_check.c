/* What no key alone can tell: whether bots fill a table, whether keys go with the format, whether the
 * deck is large enough. And what holds without a key where that depends on others. Each check keeps
 * quiet if a value that it needs is wrong by itself: that was said already. */

#include "base/memory.h"
#include "tournament/plan_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEATS_STANDARD 4
#define ROUNDS_LEAST 3

/* Whether the file does not say it, or says it well. */
static bool is_known(const struct plan_map *map, enum plan_key_number key)
{
    return map->found[key] == NULL || map->is_fine[key];
}

/* Where the file says it; else where the map begins that does not. */
static size_t place_of(const struct plan_map *map, enum plan_key_number key,
                       const struct json_node *root)
{
    return map->found[key] != NULL ? map->found[key]->at : root->at;
}

static void check_seats(struct plan_reader *reader, const struct plan_map *map)
{
    const struct plan *plan = reader->plan;
    char sentence[PLAN_SENTENCE_MAX];

    if (!map->is_fine[PLAN_SEATS] || plan->bots == NULL ||
        plan->bot_count >= plan->schedule.seats || plan->bot_count < RULES_SEATS_MIN)
        return;
    snprintf(sentence, sizeof sentence, "seats is %u, but there are only %u bots",
             plan->schedule.seats, plan->bot_count);
    plan_add_problem(reader, map->found[PLAN_SEATS]->at, sentence);
}

static void check_deck(struct plan_reader *reader, const struct plan_map *map,
                       const struct json_node *root)
{
    const struct json_node *deck = json_member(map->found[PLAN_RULES], "deck");
    char sentence[PLAN_SENTENCE_MAX];
    struct text text;

    if (!is_known(map, PLAN_EDITION) || !is_known(map, PLAN_RULES) || !is_known(map, PLAN_SEATS))
        return;
    text_start(&text, sentence, sizeof sentence);
    text_add(&text, "rules: ");
    if (rules_check(&reader->plan->rules, reader->plan->schedule.seats, &text) != 0)
        plan_add_problem(reader, deck != NULL ? deck->at : place_of(map, PLAN_SEATS, root),
                         sentence);
}

/* Keys of one format in another. */
static const struct {
    enum plan_key_number key;
    bool goes_with[SCHEDULE_FORMAT_COUNT];
} format_keys[] = {
    {PLAN_HERO, {[SCHEDULE_GAUNTLET] = true}},
    {PLAN_ROUNDS, {[SCHEDULE_SWISS] = true}},
    {PLAN_MATCHES, {[SCHEDULE_ROUND_ROBIN] = true, [SCHEDULE_GAUNTLET] = true}},
};

static void check_format(struct plan_reader *reader, const struct plan_map *map)
{
    enum schedule_format format = reader->plan->schedule.format;

    for (size_t i = 0; i < ARRAY_LEN(format_keys) && is_known(map, PLAN_FORMAT); i++) {
        const struct json_node *node = map->found[format_keys[i].key];
        char sentence[PLAN_SENTENCE_MAX];
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
            text_add_quoted(&text, span_of(plan_keys[PLAN_FORMAT].words[j]));
        }
        text_add(&text, ", not with ");
        text_add_quoted(&text, span_of(plan_keys[PLAN_FORMAT].words[format]));
        plan_add_problem(reader, node->key_at, sentence);
    }
}

static void refuse_hero(struct plan_reader *reader, const struct json_node *node)
{
    const struct plan *plan = reader->plan;
    const char **names = xcalloc(plan->bot_count + 1, sizeof *names);
    char sentence[PLAN_SENTENCE_MAX];
    struct text text;

    for (unsigned i = 0; i < plan->bot_count; i++)
        names[i] = plan->bots[i].name;
    text_start(&text, sentence, sizeof sentence);
    text_add(&text, "hero takes the name of one of the bots, not ");
    plan_add_value(&text, node);
    plan_add_nearest(&text, span_of(node->text), names, plan->bot_count);
    plan_add_problem(reader, node->at, sentence);
    free((void *)names);
}

static bool are_all_named(const struct plan *plan)
{
    for (unsigned i = 0; i < plan->bot_count; i++) {
        if (plan->bots[i].name[0] == '\0')
            return false;
    }
    return plan->bot_count > 0;
}

static void check_hero(struct plan_reader *reader, const struct plan_map *map)
{
    struct plan *plan = reader->plan;
    const struct json_node *node = map->found[PLAN_HERO];

    if (node == NULL || !map->is_fine[PLAN_HERO] || !are_all_named(plan))
        return;
    for (unsigned i = 0; i < plan->bot_count; i++) {
        if (strcmp(plan->bots[i].name, node->text) == 0) {
            plan->schedule.hero = i;
            return;
        }
    }
    refuse_hero(reader, node);
}

/* All orders of the bots around the table are too many from five seats on. */
static void check_seatings(struct plan_reader *reader, const struct plan_map *map)
{
    struct schedule_setup *schedule = &reader->plan->schedule;
    bool is_large = schedule->seats > SEATS_STANDARD;
    char sentence[PLAN_SENTENCE_MAX];

    if (map->found[PLAN_SEATINGS] == NULL)
        schedule->seatings = is_large ? SCHEDULE_ROTATIONS : SCHEDULE_ALL;
    if (!map->is_fine[PLAN_SEATINGS] || schedule->seatings != SCHEDULE_ALL || !is_large)
        return;
    snprintf(sentence, sizeof sentence,
             "seatings takes \"rotations\" or \"single\" with %u seats: \"all\" is for %d at most",
             schedule->seats, SEATS_STANDARD);
    plan_add_problem(reader, map->found[PLAN_SEATINGS]->at, sentence);
}

/* Whoever plays on his own machine could keep the cards of a deal for its next match. */
static void check_remote(struct plan_reader *reader, const struct plan_map *map,
                         const struct json_node *root)
{
    const struct plan *plan = reader->plan;
    char sentence[PLAN_SENTENCE_MAX];
    unsigned number = 0;

    while (number < plan->bot_count && plan->bots[number].remote == NULL)
        number++;
    if (number == plan->bot_count || !map->is_fine[PLAN_BOTS] || !is_known(map, PLAN_SEATINGS) ||
        plan->schedule.seatings == SCHEDULE_SINGLE)
        return;
    snprintf(
        sentence, sizeof sentence,
        "seatings takes \"single\" where a bot runs elsewhere, as bots[%u] does: nobody may see "
        "a deal twice",
        number);
    plan_add_problem(reader, place_of(map, PLAN_SEATINGS, root), sentence);
}

/* So many that of bots which always win or lose, one would be left that never lost. */
static unsigned rounds_for(unsigned bots)
{
    unsigned rounds = ROUNDS_LEAST;

    while (1U << rounds < bots)
        rounds++;
    return rounds;
}

void plan_check(struct plan_reader *reader, const struct plan_map *map,
                const struct json_node *root)
{
    struct plan *plan = reader->plan;
    struct schedule_setup *schedule = &plan->schedule;

    schedule->bots = plan->bot_count;
    if (schedule->seats == 0)
        schedule->seats = plan->bot_count < SEATS_STANDARD && plan->bot_count >= RULES_SEATS_MIN
                              ? plan->bot_count
                              : SEATS_STANDARD;
    if (schedule->format == SCHEDULE_SWISS && map->found[PLAN_ROUNDS] == NULL)
        schedule->rounds = rounds_for(plan->bot_count);
    if (map->found[PLAN_BOTS] == NULL)
        plan_add_problem(reader, root->at, "bots is missing: a list of the bots that play");
    check_seats(reader, map);
    check_deck(reader, map, root);
    check_format(reader, map);
    check_hero(reader, map);
    check_seatings(reader, map);
    check_remote(reader, map, root);
}
