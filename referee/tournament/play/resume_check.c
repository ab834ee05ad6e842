/* The terms are a list of keys and values as text. One table says how each is made of a plan and what
 * may become of it later. */

#include "tournament/play/resume_check.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES 1200

/* What may be done about a value that is not what it was. */
enum freedom {
    NEVER_CHANGES, /* results before and after could not be compared */
    MAY_CHANGE,    /* if the organiser accepts it */
    MAY_GROW,      /* likewise, but only upwards, and only where that leaves the schedule alone */
    CHANGES,       /* it does not matter */
};

struct term {
    const char *key;
    enum freedom freedom;
    void (*write)(struct text *text, const struct config *config);
};

static void write_rules(struct text *text, const struct config *config)
{
    text_add(text, allegra_rules_edition_name((enum allegra_rules_edition)config->rules.edition));
    for (size_t i = 0; i < allegra_rules_key_count(); i++) {
        const struct allegra_rules_key *key = allegra_rules_key_at(i);

        text_add_char(text, ' ');
        text_add(text, key->name);
        text_add_char(text, '=');
        rules_write_value(text, &config->rules, key);
    }
}

static void write_format(struct text *text, const struct config *config)
{
    text_add(text, schedule_format_names[config->schedule.format]);
}

static void write_seatings(struct text *text, const struct config *config)
{
    text_add(text, schedule_seatings_names[config->schedule.seatings]);
}

static void write_hero(struct text *text, const struct config *config)
{
    if (config->schedule.format == SCHEDULE_GAUNTLET)
        text_add(text, config->bots[config->schedule.hero].name);
}

static void write_seats(struct text *text, const struct config *config)
{
    text_add_number(text, config->schedule.seats);
}

static void write_deals(struct text *text, const struct config *config)
{
    text_add_number(text, config->schedule.deals);
}

static void write_matches(struct text *text, const struct config *config)
{
    text_add_number(text, (long)config->schedule.matches);
}

static void write_rounds(struct text *text, const struct config *config)
{
    text_add_number(text, config->schedule.rounds);
}

static void write_seed(struct text *text, const struct config *config)
{
    text_add_number(text, (long)config->schedule.seed);
}

static void write_clock(struct text *text, const struct config *config)
{
    text_add(text, clock_rule_name(config->clock));
}

static void write_start(struct text *text, const struct config *config)
{
    text_add_number(text, config->start_ms);
}

static void write_move(struct text *text, const struct config *config)
{
    text_add_number(text, config->move_ms);
}

static void write_bank(struct text *text, const struct config *config)
{
    text_add_number(text, config->bank_ms);
}

static void write_sandbox(struct text *text, const struct config *config)
{
    text_add(text, config->sandbox);
}

static void write_reuse(struct text *text, const struct config *config)
{
    text_add(text, config->keeps_bots ? "yes" : "no");
}

static void write_max_faults(struct text *text, const struct config *config)
{
    text_add_number(text, config->max_faults);
}

static const struct term terms[] = {
    {"rules", NEVER_CHANGES, write_rules},       {"seats", NEVER_CHANGES, write_seats},
    {"format", NEVER_CHANGES, write_format},     {"hero", NEVER_CHANGES, write_hero},
    {"seatings", NEVER_CHANGES, write_seatings}, {"schedule_seed", NEVER_CHANGES, write_seed},
    {"matches", NEVER_CHANGES, write_matches},   {"deals", MAY_GROW, write_deals},
    {"rounds", MAY_GROW, write_rounds},          {"clock", MAY_CHANGE, write_clock},
    {"start_ms", MAY_CHANGE, write_start},       {"move_ms", MAY_CHANGE, write_move},
    {"bank_ms", MAY_CHANGE, write_bank},         {"contain", MAY_CHANGE, write_sandbox},
    {"reuse", MAY_CHANGE, write_reuse},          {"max_faults", CHANGES, write_max_faults},
};

/* Who agrees with whom about what. */
struct talk {
    struct store *store;
    const struct config *config;
    const struct bot_setup *bot_setups;
    const struct resume_options *options;
    unsigned changes; /* that have to be accepted */
    unsigned refused; /* that cannot be */
};

static void say(const struct talk *talk, const char *words)
{
    talk->options->say(talk->options->context, words);
}

/* A new store. */

static void add_bot(const struct talk *talk, unsigned index, unsigned generation)
{
    const struct bot_setup *bot_setup = &talk->bot_setups[index];
    struct store_bot bot = {
        .name = talk->config->bots[index].name,
        .command = bot_setup->command.words,
        .generation = generation,
    };

    memcpy(bot.hash, bot_setup->command.hash, sizeof bot.hash);
    store_add_bot(talk->store, &bot);
}

static int begin(const struct talk *talk)
{
    char values[ARRAY_LEN(terms)][VALUE_BYTES];
    struct store_setting settings[ARRAY_LEN(terms) + 1] = {{NULL, NULL}};
    int result;

    for (size_t i = 0; i < ARRAY_LEN(terms); i++) {
        struct text text;

        text_start(&text, values[i], VALUE_BYTES);
        terms[i].write(&text, talk->config);
        settings[i] = (struct store_setting){terms[i].key, values[i]};
    }
    result = store_begin(talk->store, talk->config->name, settings, talk->options->seed_words);
    if (result == 0) {
        for (unsigned i = 0; i < talk->config->bot_count; i++)
            add_bot(talk, i, 1);
        result = store_write(talk->store);
    }
    return result;
}

/* A store that is there. */

static void say_change(struct talk *talk, const char *key, const char *was, const char *is)
{
    char words[400];

    snprintf(words, sizeof words, "%.60s was %.150s and is %.150s now", key, was, is);
    say(talk, words);
}

/* Whether more of it leaves all matches where they are. */
static bool can_grow(const struct talk *talk, const char *key, const char *was, const char *is)
{
    bool is_swiss = talk->config->schedule.format == SCHEDULE_SWISS;

    if (strtol(is, NULL, 10) < strtol(was, NULL, 10))
        return false;
    if (strcmp(key, "rounds") == 0)
        return is_swiss;
    for (unsigned i = 0; i < store_bot_count(talk->store); i++) {
        if (store_bot(talk->store, i)->generation > 1)
            return false;
    }
    return !is_swiss && talk->config->schedule.matches == 0;
}

static void compare_term(struct talk *talk, const struct term *term, bool is_made)
{
    char is[VALUE_BYTES];
    const char *was = store_setting(talk->store, term->key);
    struct text text;

    text_start(&text, is, sizeof is);
    term->write(&text, talk->config);
    if (was == NULL)
        was = "";
    if (strcmp(was, is) == 0)
        return;
    if (is_made || term->freedom == CHANGES) {
        store_set(talk->store, term->key, is);
        return;
    }
    say_change(talk, term->key, was, is);
    if (term->freedom == MAY_CHANGE ||
        (term->freedom == MAY_GROW && can_grow(talk, term->key, was, is)))
        talk->changes++;
    else
        talk->refused++;
}

static int find_in_config(const struct config *config, const char *name)
{
    for (unsigned i = 0; i < config->bot_count; i++) {
        if (strcmp(config->bots[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

/* A bot that the store knows: still there, and still the same? */
static void compare_known_bot(struct talk *talk, unsigned number, bool is_made)
{
    const struct store_bot *bot = store_bot(talk->store, number);
    int index = find_in_config(talk->config, bot->name);
    const struct bot_command *command = index >= 0 ? &talk->bot_setups[index].command : NULL;
    bool is_changed = command != NULL && strcmp(command->hash, bot->hash) != 0;
    bool is_called_otherwise = command != NULL && strcmp(command->words, bot->command) != 0;
    char words[200];

    if (is_made) {
        if (is_changed || is_called_otherwise)
            store_change_bot(talk->store, number, command->words, command->hash);
        if ((command == NULL) != bot->is_withdrawn)
            store_withdraw_bot(talk->store, number, command == NULL);
        return;
    }
    if (command == NULL && !bot->is_withdrawn)
        snprintf(words, sizeof words, "bot %s is withdrawn: it is not in the file any more",
                 bot->name);
    else if (command != NULL && bot->is_withdrawn)
        snprintf(words, sizeof words, "bot %s, which was withdrawn, is back", bot->name);
    else if (is_changed)
        snprintf(words, sizeof words, "bot %s is not the same program as before", bot->name);
    else if (is_called_otherwise)
        snprintf(words, sizeof words, "bot %s was called by %.50s and is called by %.50s now",
                 bot->name, bot->command, command->words);
    else
        return;
    say(talk, words);
    talk->changes++;
}

static unsigned next_generation(const struct talk *talk)
{
    unsigned last = 1;

    if (talk->config->schedule.format == SCHEDULE_SWISS)
        return store_round_count(talk->store) + 2;
    for (unsigned i = 0; i < store_bot_count(talk->store); i++) {
        if (store_bot(talk->store, i)->generation > last)
            last = store_bot(talk->store, i)->generation;
    }
    return last + 1;
}

static void compare_bots(struct talk *talk, bool is_made)
{
    unsigned known = store_bot_count(talk->store);
    unsigned generation = next_generation(talk);
    char words[100];

    for (unsigned i = 0; i < known; i++)
        compare_known_bot(talk, i, is_made);
    for (unsigned i = 0; i < talk->config->bot_count; i++) {
        if (store_find_bot(talk->store, talk->config->bots[i].name) >= 0)
            continue;
        if (is_made) {
            add_bot(talk, i, generation);
            continue;
        }
        snprintf(words, sizeof words, "bot %s is new", talk->config->bots[i].name);
        say(talk, words);
        talk->changes++;
    }
}

static void compare_all(struct talk *talk, bool is_made)
{
    for (size_t i = 0; i < ARRAY_LEN(terms); i++)
        compare_term(talk, &terms[i], is_made);
    compare_bots(talk, is_made);
}

static int go_on(struct talk *talk)
{
    compare_all(talk, false);
    if (talk->refused > 0) {
        say(talk,
            "what was played so far does not fit that: put it back, name another `output`, or "
            "begin anew with --fresh, which deletes all results of this store");
        return -1;
    }
    if (talk->changes > 0 && !talk->options->accepts_changes) {
        say(talk, "to go on with these changes say --accept-changes; what was played so far still "
                  "counts. To begin anew say --fresh, which deletes all results of this store");
        return -1;
    }
    compare_all(talk, true);
    return store_write(talk->store);
}

int resume_check(struct store *store, const struct config *config,
                 const struct bot_setup *bot_setups, const struct resume_options *options)
{
    struct talk talk = {store, config, bot_setups, options, 0, 0};
    char words[200];

    errno = 0;
    if ((store_is_new(store) ? begin(&talk) : go_on(&talk)) == 0)
        return 0;
    if (errno != 0) {
        snprintf(words, sizeof words, "the store cannot be written: %s", strerror(errno));
        say(&talk, words);
    }
    return -1;
}
