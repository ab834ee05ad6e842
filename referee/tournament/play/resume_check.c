/* A store remembers the settings of its tournament as text, by key. One table says what may become
 * of each of them when the tournament is resumed. */

#include "tournament/play/resume_check.h"

#include "base/memory.h"
#include "game/rules.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES 1200

/* What may be done about a setting that has changed. */
enum change {
    NEVER_CHANGES, /* results before and after could not be compared */
    MAY_CHANGE,    /* if the organiser accepts it */
    MAY_GROW,      /* the same, but only upwards, and only where that leaves the schedule alone */
    CHANGES_ANY_TIME, /* it does not matter */
};

enum setting {
    RULES,
    SEATS,
    FORMAT,
    HERO,
    SEATINGS,
    SCHEDULE_SEED,
    MATCHES,
    DEALS,
    ROUNDS,
    CLOCK,
    PONDER,
    START_MS,
    MOVE_MS,
    BANK_MS,
    CONTAIN,
    REUSE,
    MAX_FAULTS,
    VARIANT,
    LUCK,
    CLOCK_SCALE,
    SETTING_COUNT,
};

static const struct {
    const char *key;
    enum change change;
} settings[SETTING_COUNT] = {
    [RULES] = {"rules", NEVER_CHANGES},
    [SEATS] = {"seats", NEVER_CHANGES},
    [FORMAT] = {"format", NEVER_CHANGES},
    [HERO] = {"hero", NEVER_CHANGES},
    [SEATINGS] = {"seatings", NEVER_CHANGES},
    [SCHEDULE_SEED] = {"schedule_seed", NEVER_CHANGES},
    [MATCHES] = {"matches", NEVER_CHANGES},
    [DEALS] = {"deals", MAY_GROW},
    [ROUNDS] = {"rounds", MAY_GROW},
    [CLOCK] = {"clock", MAY_CHANGE},
    [START_MS] = {"start_ms", MAY_CHANGE},
    [MOVE_MS] = {"move_ms", MAY_CHANGE},
    [BANK_MS] = {"bank_ms", MAY_CHANGE},
    [CONTAIN] = {"contain", MAY_CHANGE},
    [REUSE] = {"reuse", MAY_CHANGE},
    [MAX_FAULTS] = {"max_faults", CHANGES_ANY_TIME},
    [PONDER] = {"ponder", MAY_CHANGE},
    [VARIANT] = {"variant", CHANGES_ANY_TIME},
    [LUCK] = {"luck", MAY_CHANGE},
    [CLOCK_SCALE] = {"clock_scale", MAY_CHANGE},
};

static size_t find_setting(const char *key)
{
    size_t i = 0;

    while (i < SETTING_COUNT && strcmp(settings[i].key, key) != 0)
        i++;
    return i;
}

bool resume_has_setting(const char *key)
{
    return find_setting(key) < SETTING_COUNT;
}

bool resume_may_change(const char *key)
{
    return resume_has_setting(key) && settings[find_setting(key)].change != NEVER_CHANGES;
}

static void write_rules(struct text *text, const struct allegra_rules *rules)
{
    text_add(text, allegra_edition_name((enum allegra_edition)rules->edition));
    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);

        text_printf(text, " %s=", key->name);
        rules_write_value(text, rules, key);
    }
}

static const char *value_name(const struct config *config, enum setting setting)
{
    const struct schedule_setup *schedule = &config->schedule;

    switch (setting) {
    case FORMAT:
        return schedule_format_names[schedule->format];
    case HERO:
        return schedule->format == SCHEDULE_GAUNTLET ? config->bots[schedule->hero].name : "";
    case SEATINGS:
        return schedule_seatings_names[schedule->seatings];
    case CLOCK:
        return clock_rule_name(config->clock);
    case CONTAIN:
        return config->sandbox;
    case PONDER:
        return config->may_ponder ? "yes" : "no";
    case REUSE:
        return config->keeps_bots ? "yes" : "no";
    case CLOCK_SCALE:
        return config->scales_clock ? "yes" : "no";
    case LUCK:
        return config->measures_luck ? "yes" : "no";
    case VARIANT:
        return config->variant;
    default:
        return NULL;
    }
}

static long value_number(const struct config *config, enum setting setting)
{
    const struct schedule_setup *schedule = &config->schedule;

    switch (setting) {
    case SEATS:
        return schedule->seats;
    case SCHEDULE_SEED:
        return (long)schedule->seed;
    case MATCHES:
        return (long)schedule->matches;
    case DEALS:
        return schedule->deals;
    case ROUNDS:
        return schedule->rounds;
    case START_MS:
        return config->start_ms;
    case MOVE_MS:
        return config->move_ms;
    case BANK_MS:
        return config->bank_ms;
    default:
        return config->max_faults;
    }
}

static void write_setting(char value[VALUE_BYTES], const struct config *config,
                          enum setting setting)
{
    const char *name = value_name(config, setting);
    struct text text;

    text_start(&text, value, VALUE_BYTES);
    if (setting == RULES)
        write_rules(&text, &config->rules);
    else if (name != NULL)
        text_add(&text, name);
    else
        text_add_number(&text, value_number(config, setting));
}

/* A store and a file that are being compared. */
struct comparing {
    struct store *store;
    const struct config *config;
    const struct bot_setup *bot_setups;
    const struct resume_options *options;
    unsigned changes; /* that need to be accepted */
    unsigned refused; /* changes that are not allowed */
    bool has_changed_bot;
};

static void say(const struct comparing *comparing, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(const struct comparing *comparing, const char *format, ...)
{
    char message[500];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    comparing->options->on_message(comparing->options->context, message);
}

/* A new store. */

static void add_bot(const struct comparing *comparing, unsigned index, unsigned generation)
{
    const struct bot_setup *bot_setup = &comparing->bot_setups[index];
    struct store_bot bot = {
        .name = comparing->config->bots[index].name,
        .command = bot_setup->command.text,
        .generation = generation,
    };

    memcpy(bot.hash, bot_setup->command.hash, sizeof bot.hash);
    store_add_bot(comparing->store, &bot);
}

static int begin(const struct comparing *comparing)
{
    char values[SETTING_COUNT][VALUE_BYTES];
    struct store_setting list[SETTING_COUNT + 1] = {{NULL, NULL}};

    for (size_t i = 0; i < SETTING_COUNT; i++) {
        write_setting(values[i], comparing->config, (enum setting)i);
        list[i] = (struct store_setting){settings[i].key, values[i]};
    }
    if (store_begin(comparing->store, comparing->config->name, list,
                    comparing->options->seed_text) != 0)
        return -1;
    for (unsigned i = 0; i < comparing->config->bot_count; i++)
        add_bot(comparing, i, 1);
    return store_write(comparing->store);
}

/* A store that is resumed. */

/* Whether more of it leaves all matches where they are. */
static bool can_grow(const struct comparing *comparing, enum setting setting, const char *old_value,
                     const char *new_value)
{
    bool is_swiss = comparing->config->schedule.format == SCHEDULE_SWISS;

    if (strtol(new_value, NULL, 10) < strtol(old_value, NULL, 10))
        return false;
    if (setting == ROUNDS)
        return is_swiss;
    for (unsigned i = 0; i < store_bot_count(comparing->store); i++) {
        if (store_bot(comparing->store, i)->generation > 1)
            return false;
    }
    return !is_swiss && comparing->config->schedule.matches == 0;
}

/* Reports a change of the setting; or makes it, if `is_accepted`. */
static void compare_setting(struct comparing *comparing, enum setting setting, bool is_accepted)
{
    const char *key = settings[setting].key;
    enum change change = settings[setting].change;
    const char *old_value = store_setting(comparing->store, key);
    char new_value[VALUE_BYTES];

    write_setting(new_value, comparing->config, setting);
    if (old_value == NULL)
        old_value = "";
    if (strcmp(old_value, new_value) == 0)
        return;
    if (is_accepted || change == CHANGES_ANY_TIME) {
        store_set(comparing->store, key, new_value);
        return;
    }
    say(comparing, "%s was %.150s and is %.150s now", key, old_value, new_value);
    if (change == MAY_CHANGE ||
        (change == MAY_GROW && can_grow(comparing, setting, old_value, new_value)))
        comparing->changes++;
    else
        comparing->refused++;
}

static const struct bot_command *find_command(const struct comparing *comparing, const char *name)
{
    for (unsigned i = 0; i < comparing->config->bot_count; i++) {
        if (strcmp(comparing->config->bots[i].name, name) == 0)
            return &comparing->bot_setups[i].command;
    }
    return NULL;
}

static bool is_replayed(const struct comparing *comparing, const char *name)
{
    const char *const *replayed = comparing->options->replayed;

    for (; replayed != NULL && *replayed != NULL; replayed++) {
        if (strcspn(*replayed, "=") == strlen(name) && strncmp(*replayed, name, strlen(name)) == 0)
            return true;
    }
    return false;
}

/* Reports whether a bot of the store is gone, back or different; or makes that change. */
static void compare_known_bot(struct comparing *comparing, unsigned number, bool is_accepted)
{
    const struct store_bot *bot = store_bot(comparing->store, number);
    const struct bot_command *command = find_command(comparing, bot->name);
    bool is_changed = command != NULL && strcmp(command->hash, bot->hash) != 0;
    bool is_renamed = command != NULL && strcmp(command->text, bot->command) != 0;

    if (is_accepted) {
        if (is_changed || is_renamed)
            store_change_bot(comparing->store, number, command->text, command->hash);
        if ((command == NULL) != bot->is_withdrawn)
            store_withdraw_bot(comparing->store, number, command == NULL);
        return;
    }
    if (command == NULL && !bot->is_withdrawn)
        say(comparing, "bot %s is withdrawn: it is no longer in the file", bot->name);
    else if (command != NULL && bot->is_withdrawn)
        say(comparing, "bot %s, which was withdrawn, is back", bot->name);
    else if ((is_changed || is_renamed) && is_replayed(comparing, bot->name))
        return;
    else if (is_changed)
        say(comparing, "bot %s is not the same program as before", bot->name);
    else if (is_renamed)
        say(comparing, "the command of bot %s was %.50s and is %.50s now", bot->name, bot->command,
            command->text);
    else
        return;
    comparing->has_changed_bot = comparing->has_changed_bot || is_changed;
    comparing->changes++;
}

static unsigned next_generation(const struct comparing *comparing)
{
    unsigned last = 1;

    if (comparing->config->schedule.format == SCHEDULE_SWISS)
        return store_round_count(comparing->store) + 2;
    for (unsigned i = 0; i < store_bot_count(comparing->store); i++) {
        if (store_bot(comparing->store, i)->generation > last)
            last = store_bot(comparing->store, i)->generation;
    }
    return last + 1;
}

/* Reports all changes; or makes them, if `is_accepted`. */
static void compare_all(struct comparing *comparing, bool is_accepted)
{
    unsigned known = store_bot_count(comparing->store);
    unsigned generation = next_generation(comparing);

    for (size_t i = 0; i < SETTING_COUNT; i++)
        compare_setting(comparing, (enum setting)i, is_accepted);
    for (unsigned i = 0; i < known; i++)
        compare_known_bot(comparing, i, is_accepted);
    for (unsigned i = 0; i < comparing->config->bot_count; i++) {
        if (store_find_bot(comparing->store, comparing->config->bots[i].name) >= 0)
            continue;
        if (is_accepted) {
            add_bot(comparing, i, generation);
        } else {
            say(comparing, "bot %s is new", comparing->config->bots[i].name);
            comparing->changes++;
        }
    }
}

static int resume(struct comparing *comparing)
{
    compare_all(comparing, false);
    if (comparing->refused > 0) {
        say(comparing, "that does not go with the matches played so far: change it back, name "
                       "another `output`, or start over with --fresh, which deletes all results of "
                       "this store");
        return -1;
    }
    if (comparing->changes > 0 && !comparing->options->accepts_changes) {
        say(comparing,
            "to resume with these changes, add --accept-changes; the matches played so far still "
            "count. %sTo start over, add --fresh, which deletes all results of this store",
            comparing->has_changed_bot ? "To play all matches of a changed bot again, add "
                                         "--replay-bot NAME. "
                                       : "");
        return -1;
    }
    compare_all(comparing, true);
    return store_write(comparing->store);
}

int resume_check(struct store *store, const struct config *config,
                 const struct bot_setup *bot_setups, const struct resume_options *options)
{
    struct comparing comparing = {store, config, bot_setups, options, 0, 0, false};

    errno = 0;
    if ((store_is_new(store) ? begin(&comparing) : resume(&comparing)) == 0)
        return 0;
    if (errno != 0)
        say(&comparing, "the store cannot be written: %s", strerror(errno));
    return -1;
}
