/* Writes a config as a tournament file with all keys, so that it depends neither on defaults nor on
 * a catalogue. Only keys that do not go with its format or its bots are left out. */

#include "tournament/config/config.h"

#include "base/memory.h"
#include "game/rules.h"
#include "tournament/config/config_private.h"

#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES 200

static void put_environment(struct json_writer *writer, char *const *environment)
{
    json_key(writer, "environment");
    json_open_map(writer);
    for (; *environment != NULL; environment++) {
        const char *equals = strchr(*environment, '=');
        char *name = xstrndup(*environment, (size_t)(equals - *environment));

        json_put_text(writer, name, equals + 1);
        free(name);
    }
    json_close_map(writer);
}

static void put_bot(struct json_writer *writer, const struct config_bot *bot)
{
    json_open_map(writer);
    json_put_text(writer, "name", bot->name);
    if (bot->command == NULL && bot->source != NULL)
        json_put_text(writer, "bot", bot->source);
    if (bot->remote != NULL) {
        json_put_text(writer, "remote", bot->remote);
    } else if (bot->command != NULL) {
        json_put_text(writer, "command", bot->command);
        if (bot->folder != NULL)
            json_put_text(writer, "folder", bot->folder);
        if (bot->build != NULL)
            json_put_text(writer, "build", bot->build);
        put_environment(writer, bot->environment);
        if (bot->memory_mb > 0)
            json_put_number(writer, "memory_mb", bot->memory_mb);
    }
    json_close_map(writer);
}

static void put_rules(struct json_writer *writer, const struct config *config)
{
    const struct allegra_rules *rules = &config->rules;

    json_put_text(writer, "edition", allegra_edition_name((enum allegra_edition)rules->edition));
    json_key(writer, "rules");
    json_open_map(writer);
    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);
        char value[VALUE_BYTES];
        struct text text;

        text_start(&text, value, sizeof value);
        rules_write_value(&text, rules, key);
        json_put_text(writer, key->name, value);
    }
    json_close_map(writer);
    if (config->variant[0] != '\0')
        json_put_text(writer, "variant", config->variant);
}

static void put_schedule(struct json_writer *writer, const struct config *config)
{
    const struct schedule_setup *schedule = &config->schedule;

    json_put_number(writer, "seats", schedule->seats);
    json_put_text(writer, "format", schedule_format_names[schedule->format]);
    if (schedule->format == SCHEDULE_GAUNTLET)
        json_put_text(writer, "hero", config->bots[schedule->hero].name);
    json_put_number(writer, "deals", schedule->deals);
    if (schedule->format == SCHEDULE_SWISS)
        json_put_number(writer, "rounds", schedule->rounds);
    else
        json_put_number(writer, "matches", (long long)schedule->matches);
    json_put_text(writer, "seatings", schedule_seatings_names[schedule->seatings]);
    json_put_number(writer, "schedule_seed", (long long)schedule->seed);
}

void config_write(const struct config *config, struct json_writer *writer)
{
    json_open_map(writer);
    json_put_text(writer, "name", config->name);
    json_put_text(writer, "output", config->output);
    json_key(writer, "bots");
    json_open_list(writer);
    for (unsigned i = 0; i < config->bot_count; i++)
        put_bot(writer, &config->bots[i]);
    json_close_list(writer);
    put_rules(writer, config);
    put_schedule(writer, config);
    json_put_text(writer, "clock", clock_rule_name(config->clock));
    json_key(writer, "ponder");
    json_flag(writer, config->may_ponder);
    json_key(writer, "clock_scale");
    json_flag(writer, config->scales_clock);
    json_put_number(writer, "start_ms", config->start_ms);
    json_put_number(writer, "move_ms", config->move_ms);
    json_put_number(writer, "bank_ms", config->bank_ms);
    json_put_text(writer, "contain", config->sandbox);
    json_put_number(writer, "workers", config->workers);
    json_put_number(writer, "tables", config->tables);
    json_key(writer, "reuse");
    json_flag(writer, config->keeps_bots);
    json_key(writer, "luck");
    json_flag(writer, config->measures_luck);
    json_put_number(writer, "max_faults", config->max_faults);
    json_close_map(writer);
}
