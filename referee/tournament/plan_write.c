/* Writes a plan as a tournament file: everything that it says, whether it was in a file or follows from
 * what was, so that neither a default nor the folder of the file nor a catalogue has a part in it any
 * more. Only keys that a plan like this one may not have are left out. */

#include "tournament/plan.h"

#include "base/memory.h"
#include "tournament/plan_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VALUE_BYTES 200

static void put_text(struct json_writer *writer, const char *key, const char *words)
{
    json_key(writer, key);
    json_text(writer, words);
}

static void put_number(struct json_writer *writer, const char *key, long long number)
{
    json_key(writer, key);
    json_number(writer, number);
}

/* A folder that has no name any more is left as it was said. */
static void put_path(struct json_writer *writer, const char *key, const char *path)
{
    char *folder = path[0] != '/' ? getcwd(NULL, 0) : NULL;
    char *whole = NULL;

    if (folder != NULL && asprintf(&whole, "%s/%s", folder, path) < 0)
        whole = NULL;
    put_text(writer, key, whole != NULL ? whole : path);
    free(whole);
    free(folder);
}

static void put_environment(struct json_writer *writer, char *const *environment)
{
    json_key(writer, "environment");
    json_open_map(writer);
    for (; *environment != NULL; environment++) {
        const char *equals = strchr(*environment, '=');
        char *name = xstrndup(*environment, (size_t)(equals - *environment));

        put_text(writer, name, equals + 1);
        free(name);
    }
    json_close_map(writer);
}

static void put_bot(struct json_writer *writer, const struct plan_bot *bot)
{
    json_open_map(writer);
    put_text(writer, "name", bot->name);
    if (bot->remote != NULL) {
        if (bot->source != NULL)
            put_text(writer, "bot", bot->source);
        put_path(writer, "remote", bot->remote);
    } else {
        put_text(writer, "command", bot->command);
        if (bot->folder != NULL)
            put_path(writer, "folder", bot->folder);
        if (bot->build != NULL)
            put_text(writer, "build", bot->build);
        put_environment(writer, bot->environment);
        if (bot->memory_mb > 0)
            put_number(writer, "memory_mb", bot->memory_mb);
    }
    json_close_map(writer);
}

static void put_bots(struct json_writer *writer, const struct plan *plan)
{
    json_key(writer, "bots");
    json_open_list(writer);
    for (unsigned i = 0; i < plan->bot_count; i++)
        put_bot(writer, &plan->bots[i]);
    json_close_list(writer);
}

static void put_rules(struct json_writer *writer, const struct rules *rules)
{
    put_text(writer, "edition", rules_edition_name((enum rules_edition)rules->edition));
    json_key(writer, "rules");
    json_open_map(writer);
    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);
        char value[VALUE_BYTES];
        struct text text;

        text_start(&text, value, sizeof value);
        rules_write_value(&text, rules, key);
        put_text(writer, key->name, value);
    }
    json_close_map(writer);
}

static void put_schedule(struct json_writer *writer, const struct plan *plan)
{
    const struct schedule_setup *schedule = &plan->schedule;

    put_number(writer, "seats", schedule->seats);
    put_text(writer, "format", schedule_format_names[schedule->format]);
    if (schedule->format == SCHEDULE_GAUNTLET)
        put_text(writer, "hero", plan->bots[schedule->hero].name);
    put_number(writer, "deals", schedule->deals);
    if (schedule->format == SCHEDULE_SWISS)
        put_number(writer, "rounds", schedule->rounds);
    else
        put_number(writer, "matches", (long long)schedule->matches);
    put_text(writer, "seatings", schedule_seatings_names[schedule->seatings]);
    put_number(writer, "schedule_seed", (long long)schedule->seed);
}

void plan_write(const struct plan *plan, struct json_writer *writer)
{
    json_open_map(writer);
    put_text(writer, "name", plan->name);
    put_path(writer, "output", plan->output);
    put_bots(writer, plan);
    put_rules(writer, &plan->rules);
    put_schedule(writer, plan);
    put_text(writer, "clock", clock_rule_name(plan->clock));
    put_number(writer, "start_ms", plan->start_ms);
    put_number(writer, "move_ms", plan->move_ms);
    put_number(writer, "bank_ms", plan->bank_ms);
    put_text(writer, "contain", plan->contain);
    put_number(writer, "jobs", plan->jobs);
    put_number(writer, "tables", plan->tables);
    json_key(writer, "reuse");
    json_flag(writer, plan->keeps_bots);
    put_number(writer, "max_faults", plan->max_faults);
    json_close_map(writer);
}
