/* The log is played again; what it says about bots, settings and result must then be what the
 * journal says. The settings are those of the moment in which the result was recorded, because an
 * organiser may change some of them between two starts. */

#include "tournament/report/store_proof_match.h"

#include "game/rules.h"
#include "match/replay.h"
#include "sandbox/sandbox.h"
#include "tournament/play/clock_scale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES 1200

static int differ(struct text *problem, const char *what, const char *log, const char *journal)
{
    text_printf(problem, "the %s of the log is %.80s, of the journal %.80s", what, log, journal);
    return -1;
}

static int check_bots(const struct store_proof_match *match, const struct match_setup *setup,
                      struct text *problem)
{
    if (setup->seats != match->result->seats) {
        text_add(problem, "the log has another number of seats than the journal");
        return -1;
    }
    for (unsigned seat = 0; seat < setup->seats; seat++) {
        const struct store_bot *bot = store_bot(match->store, match->result->bots[seat]);

        if (strcmp(setup->names[seat], bot->name) != 0)
            return differ(problem, "bot", setup->names[seat], bot->name);
        if (strcmp(setup->commands[seat], bot->command) != 0)
            return differ(problem, "command of a bot", setup->commands[seat], bot->command);
        if (strcmp(setup->hashes[seat], bot->hash) != 0)
            return differ(problem, "hash of a bot's files", setup->hashes[seat], bot->hash);
    }
    return 0;
}

static void write_rules(struct text *text, const struct allegra_rules *rules)
{
    text_add(text, allegra_edition_name((enum allegra_edition)rules->edition));
    for (size_t i = 0; i < rules_key_count(); i++) {
        text_printf(text, " %s=", rules_key_at(i)->name);
        rules_write_value(text, rules, rules_key_at(i));
    }
}

/* A setting in the words of the journal, from the setup of a match. Returns whether there is such a
 * setting of a match. */
static bool write_setting(struct text *text, const struct match_setup *setup, const char *key)
{
    const struct {
        const char *key;
        long number;
    } numbers[] = {{"seats", setup->seats},
                   {"start_ms", setup->start_ms},
                   {"move_ms", setup->move_ms},
                   {"bank_ms", setup->bank_ms}};

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        if (strcmp(key, numbers[i].key) == 0)
            text_add_number(text, numbers[i].number);
    }
    if (strcmp(key, "rules") == 0)
        write_rules(text, &setup->rules);
    else if (strcmp(key, "clock") == 0)
        text_add(text, clock_rule_name(setup->clock));
    else if (strcmp(key, "ponder") == 0)
        text_add(text, setup->may_ponder ? "yes" : "no");
    else if (strcmp(key, "contain") == 0)
        text_add(text, setup->sandbox);
    return text->length > 0;
}

/* A comparison has one setting for all of them. */
static bool has_settings(const struct store *store)
{
    const char *format = store_setting(store, "format");

    return format == NULL || strcmp(format, "compare") != 0;
}

/* Whether a match has a setting as the journal wants it. Only the level of the sandbox may be left
 * to the machine, which then contains bots somehow. */
static bool is_as_wanted(const char *key, const char *value, const char *wanted)
{
    if (strcmp(key, "contain") == 0 && strcmp(wanted, sandbox_level_name(SANDBOX_AUTO)) == 0)
        return strcmp(value, sandbox_level_name(SANDBOX_NONE)) != 0;
    return strcmp(value, wanted) == 0;
}

/* Whether a time is that of the journal for a machine of that speed. */
static bool is_scaled(const struct store_proof_match *match, const struct match_setup *setup,
                      const char *value, const char *wanted)
{
    const char *is_on = store_setting(match->store, "clock_scale");
    long scaled = clock_scale_ms(strtol(wanted, NULL, 10), setup->reference, setup->speed);

    return setup->reference > 0 && is_on != NULL && strcmp(is_on, "yes") == 0 &&
           strtol(value, NULL, 10) == scaled;
}

static int check_setting(const struct store_proof_match *match, const struct match_setup *setup,
                         const char *key, struct text *problem)
{
    const char *wanted = store_setting(match->store, key);
    char value[VALUE_BYTES];
    struct text text;

    if (wanted == NULL) {
        text_printf(problem, "the journal has no setting `%s`", key);
        return -1;
    }
    text_start(&text, value, sizeof value);
    if (!write_setting(&text, setup, key) || is_as_wanted(key, value, wanted))
        return 0;
    if (strlen(key) > 3 && strcmp(key + strlen(key) - 3, "_ms") == 0 &&
        is_scaled(match, setup, value, wanted))
        return 0;
    if (strcmp(key, "rules") != 0)
        return differ(problem, key, value, wanted);
    text_add(problem, "the log has other rules than the journal");
    return -1;
}

/* The last ones need more than the setup of the match: see check_rest(). */
static int check_settings(const struct store_proof_match *match, const struct match_setup *setup,
                          struct text *problem)
{
    static const char *const keys[] = {"rules",    "seats",   "clock",   "ponder",
                                       "start_ms", "move_ms", "bank_ms", "contain",
                                       "reuse",    "variant", "luck"};

    for (size_t i = 0; i < ARRAY_LEN(keys) && has_settings(match->store); i++) {
        if (check_setting(match, setup, keys[i], problem) != 0)
            return -1;
    }
    return 0;
}

/* What no setting says, but is so in every match of a tournament. */
static int check_rest(const struct store_proof_match *match, const struct match_setup *setup,
                      const char *commitment, struct text *problem)
{
    const char *reuse = store_setting(match->store, "reuse");
    const char *variant = store_setting(match->store, "variant");
    const char *luck = store_setting(match->store, "luck");

    if (setup->is_guessable != store_is_guessable(match->store))
        text_add(problem, "log and journal differ in whether the seed can be guessed");
    else if (setup->branch_of != NULL)
        text_add(problem, "the log branches off another one");
    else if (variant != NULL && strcmp(variant, setup->variant) != 0)
        return differ(problem, "variant", setup->variant[0] != '\0' ? setup->variant : "(none)",
                      variant[0] != '\0' ? variant : "(none)");
    else if (setup->dealer != 0)
        text_add(problem, "in a tournament seat 0 deals first");
    else if (setup->keeps_bots && reuse != NULL && strcmp(reuse, "yes") != 0)
        text_add(problem, "bots were kept, which the settings do not allow");
    else if (luck != NULL && match->result->has_luck != (strcmp(luck, "yes") == 0))
        text_add(problem, "the settings and the result differ in whether luck was measured");
    else if (match->commitment == NULL || strcmp(commitment, match->commitment) != 0)
        text_add(problem, "its cards are not those that were committed to");
    else
        return 0;
    return -1;
}

/* Whether the boxes of a seat in the journal are those of the log. */
static bool is_same_times(const struct json_node *list, const struct histogram *times)
{
    const struct json_node *node = json_first(list);

    for (unsigned box = 0; box < HISTOGRAM_BOXES; box++) {
        const struct json_node *count = node != NULL ? json_next(list, node) : NULL;

        if (times->counts[box] == 0)
            continue;
        if (count == NULL || node->number != (long long)box ||
            count->number != (long long)times->counts[box])
            return false;
        node = json_next(list, count);
    }
    return node == NULL;
}

static bool is_same_outcome(const struct result *one, const struct result *other)
{
    return one->rounds == other->rounds &&
           memcmp(one->places, other->places, sizeof one->places) == 0 &&
           memcmp(one->faults, other->faults, sizeof one->faults) == 0 &&
           memcmp(one->score_halves, other->score_halves, sizeof one->score_halves) == 0;
}

/* Luck is measured in floating point. Compilers may round in different places, so the last digit
 * may differ by one. */
static bool is_close(int32_t one, int32_t other)
{
    return one - other >= -1 && one - other <= 1;
}

static bool is_same_luck(const struct result *one, const struct result *other)
{
    for (unsigned seat = 0; seat < one->seats; seat++) {
        const struct result_luck *a = &one->luck[seat];
        const struct result_luck *b = &other->luck[seat];

        if (!is_close(a->points, b->points) || !is_close(a->wins, b->wins) ||
            !is_close(a->choice, b->choice) || !is_close(a->choice_spread, b->choice_spread))
            return false;
    }
    return true;
}

bool store_proof_match_has_our_luck(const struct store_proof_match *match)
{
    return match->result->luck_version == LUCK_VERSION;
}

static int check_result(const struct store_proof_match *match, const struct match *played,
                        struct text *problem)
{
    const struct json_node *times = json_member(match->record, "time");
    const struct json_node *list = json_first(times);
    struct result result = *match->result;

    result_take(&result, played);
    if (store_proof_match_has_our_luck(match) && !is_same_luck(&result, match->result)) {
        text_add(problem, "the luck in the journal does not follow from the log");
        return -1;
    }
    if (!is_same_outcome(&result, match->result)) {
        text_add(problem, "rounds, places, points or faults of the log are not those of the "
                          "journal");
        return -1;
    }
    for (unsigned seat = 0; seat < result.seats; seat++) {
        if (list == NULL || !is_same_times(list, match_times(played, seat))) {
            text_printf(problem, "the times of seat %u are not those of the journal", seat);
            return -1;
        }
        list = json_next(times, list);
    }
    return 0;
}

static int check_replay(const struct store_proof_match *match, struct replay *replay,
                        struct text *problem)
{
    const struct match_setup *setup = match_setup_of(replay_match(replay));
    const char *hash = json_member_text(match->record, "log", "");

    if (check_bots(match, setup, problem) != 0 || check_settings(match, setup, problem) != 0 ||
        check_rest(match, setup, replay_commitment(replay), problem) != 0 ||
        replay_verify(replay, problem) != 0 ||
        check_result(match, replay_match(replay), problem) != 0)
        return -1;
    if (strcmp(replay_hash(replay), hash) == 0)
        return 0;
    return differ(problem, "hash", replay_hash(replay), hash);
}

int store_proof_match_check(const struct store_proof_match *match, struct text *problem)
{
    struct replay *replay = replay_load(match->path, NULL, NULL, problem);
    int result = -1;

    if (replay != NULL && store_proof_match_has_our_luck(match))
        replay_measure_luck(replay);
    if (replay != NULL)
        result = check_replay(match, replay, problem);
    replay_free(replay);
    return result;
}
