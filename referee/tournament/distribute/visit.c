/* The settings come from a coordinator that has our key, and are still read as strictly as a file:
 * a newer coordinator may mean something else by them. Nothing here looks at the bots' files; they
 * may come later. */

#include "tournament/distribute/visit.h"

#include "base/directory.h"
#include "base/memory.h"
#include "game/rules.h"
#include "sandbox/process.h"
#include "tournament/play/clock_scale.h"
#include "wire/json_record.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOTS_MAX 1000
#define ARGUMENTS_MAX 70
#define MS_MAX 1000000000L
#define TEXT_MAX 100000

struct host_bot {
    char *name;
    char *parcel;
    char *build;
    char *folder;
    char *problem;
    char **environment;
};

struct visit {
    char store[STORE_ID_HEX];
    char variant[RULES_VARIANT_NAME_MAX + 1];
    struct task_setup tasks;
    struct bot_setup *setups;
    struct host_bot *bots;
    unsigned bot_count;
};

static void list_free(char **list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        free(list[i]);
    free(list);
}

void visit_free(struct visit *visit)
{
    if (visit == NULL)
        return;
    for (unsigned i = 0; i < visit->bot_count; i++) {
        struct host_bot *bot = &visit->bots[i];

        free(bot->name);
        free(bot->parcel);
        free(bot->build);
        free(bot->folder);
        free(bot->problem);
        list_free(bot->environment);
        bot_command_free(&visit->setups[i].command);
    }
    free(visit->bots);
    free(visit->setups);
    free(visit);
}

/* Bots. */

/* A program of the system may have another name here: python3.11 is what python3 is elsewhere. */
static char *find_program(const char *argument, const char *command)
{
    char name[200];
    char path[PATH_MAX];
    struct span rest = span_of(command);
    struct span word = span_cut_word(&rest);

    if (access(argument, X_OK) == 0 || word.length == 0 || word.length >= sizeof name ||
        memchr(word.start, '/', word.length) != NULL)
        return xstrdup(argument);
    memcpy(name, word.start, word.length);
    name[word.length] = '\0';
    return xstrdup(process_find_program(name, path) == 0 ? path : argument);
}

static char **read_arguments(struct json_record *record, const char *root, const char *command)
{
    const struct json_node *list = json_record_list(record, "argv", ARGUMENTS_MAX);
    char **argv = xcalloc(ARGUMENTS_MAX + 1, sizeof *argv);
    unsigned count = 0;

    for (const struct json_node *item = json_first(list); item != NULL;
         item = json_next(list, item)) {
        const struct json_node *own = json_first(item);

        if (item->kind == JSON_LIST && own != NULL && own->kind == JSON_TEXT &&
            own->text[0] != '/' && strstr(own->text, "..") == NULL)
            argv[count] = directory_join(root, own->text);
        else if (item->kind == JSON_TEXT)
            argv[count] = count == 0 ? find_program(item->text, command) : xstrdup(item->text);
        else
            (void)json_record_refuse_member(record, "argv");
        count += argv[count] != NULL;
    }
    return argv;
}

static char **read_environment(struct json_record *record)
{
    const struct json_node *list = json_record_list(record, "environment", 1000);
    char **environment = xcalloc(json_count(list) + 1, sizeof *environment);
    unsigned count = 0;

    for (const struct json_node *item = json_first(list); item != NULL;
         item = json_next(list, item)) {
        if (item->kind == JSON_TEXT && strchr(item->text, '=') != NULL)
            environment[count++] = xstrdup(item->text);
        else
            (void)json_record_refuse_member(record, "environment");
    }
    return environment;
}

static bool is_hash(const char *text)
{
    return strlen(text) == SEAL_HASH_HEX - 1 && strspn(text, "0123456789abcdef") == strlen(text);
}

static void read_texts(struct host_bot *bot, struct json_record *record)
{
    const char *build = json_record_text(record, "build", TEXT_MAX);
    const char *problem = json_record_text(record, "problem", TEXT_MAX);

    bot->name = xstrdup(json_record_line(record, "name", 64));
    bot->parcel = xstrdup(json_record_text(record, "parcel", SEAL_HASH_HEX));
    bot->build = build[0] != '\0' ? xstrdup(build) : NULL;
    bot->problem = problem[0] != '\0' ? xstrdup(problem) : NULL;
    bot->environment = read_environment(record);
    if (bot->parcel[0] != '\0' && !is_hash(bot->parcel))
        (void)json_record_refuse_member(record, "parcel");
}

static int read_bot(struct visit *visit, unsigned number, const struct json_node *node,
                    const struct visit_place *place, struct text *problem)
{
    struct host_bot *bot = &visit->bots[number];
    struct bot_setup *setup = &visit->setups[number];
    struct json_record record = json_record_start(node, problem);
    const char *command = json_record_text(&record, "command", TEXT_MAX);
    bool is_shared = json_record_flag(&record, "shared");
    char *root;

    read_texts(bot, &record);
    root = record.is_refused || bot->parcel[0] == '\0'
               ? xstrdup("/")
               : bot_cache_path(place->cache, bot->parcel, bot->build);
    bot->folder = is_shared && bot->parcel[0] != '\0' ? directory_join(root, "0") : xstrdup(root);
    setup->name = bot->name;
    setup->command.text = xstrdup(command);
    setup->command.argv = read_arguments(&record, root, command);
    snprintf(setup->command.name, sizeof setup->command.name, "%.*s", BOT_COMMAND_NAME_MAX,
             bot->name);
    snprintf(setup->command.hash, sizeof setup->command.hash, "%s",
             json_record_text(&record, "hash", BOT_COMMAND_HASH_HEX));
    setup->folder = bot->folder;
    setup->is_folder_shared = is_shared;
    setup->environment = (const char *const *)bot->environment;
    setup->memory_mb = (long)json_record_number(&record, "memory_mb", 0, 1 << 24);
    setup->problem = bot->problem;
    if (setup->command.argv[0] == NULL && bot->problem == NULL)
        (void)json_record_refuse_member(&record, "argv");
    free(root);
    return record.is_refused ? -1 : 0;
}

static int read_bots(struct visit *visit, const struct json_node *list,
                     const struct visit_place *place, struct text *problem)
{
    unsigned count = json_count(list);
    int result = 0;

    visit->bots = xcalloc(count + 1, sizeof *visit->bots);
    visit->setups = xcalloc(count + 1, sizeof *visit->setups);
    visit->tasks.bot_setups = visit->setups;
    for (const struct json_node *item = json_first(list); item != NULL && result == 0;
         item = json_next(list, item)) {
        unsigned number = visit->bot_count++;

        if (item->kind == JSON_NULL) {
            visit->bots[number].name = xstrdup("");
            visit->bots[number].parcel = xstrdup("");
        } else {
            result = read_bot(visit, number, item, place, problem);
        }
    }
    return result;
}

/* Settings. */

static void read_rules(struct visit *visit, struct json_record *record)
{
    struct span rest = span_of(json_record_text(record, "rules", RULES_CHANGES_MAX));
    const char *edition = json_record_text(record, "edition", 40);
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (record->is_refused ||
        rules_read_edition(span_of(edition), &visit->tasks.rules, &problem) != 0)
        (void)json_record_refuse(record, message);
    for (struct span pair; !record->is_refused && (pair = span_cut_word(&rest)).length > 0;) {
        if (rules_set_pair(&visit->tasks.rules, pair, &problem) != 0)
            (void)json_record_refuse(record, message);
    }
    snprintf(visit->variant, sizeof visit->variant, "%s",
             json_record_text(record, "variant", RULES_VARIANT_NAME_MAX));
    visit->tasks.variant = visit->variant;
}

/* A machine of half the speed gives bots twice the time; no more than that of four machines. */
static void scale_clocks(struct task_setup *tasks, long reference)
{
    tasks->reference = reference;
    if (reference == 0 || tasks->speed == 0)
        return;
    tasks->start_ms = clock_scale_ms(tasks->start_ms, reference, tasks->speed);
    tasks->move_ms = clock_scale_ms(tasks->move_ms, reference, tasks->speed);
    tasks->bank_ms = clock_scale_ms(tasks->bank_ms, reference, tasks->speed);
}

/* Luck is left to the coordinator, which finds it when it plays the log again. */
static void read_settings(struct visit *visit, struct json_record *record,
                          const struct visit_place *place)
{
    struct task_setup *tasks = &visit->tasks;

    if (json_record_number(record, "v", 1, 1) != 1)
        (void)json_record_refuse(record, "the coordinator has another version");
    snprintf(visit->store, sizeof visit->store, "%s",
             json_record_text(record, "store", STORE_ID_HEX));
    read_rules(visit, record);
    if (clock_rule_read(span_of(json_record_text(record, "clock", 20)), &tasks->clock) != 0)
        (void)json_record_refuse_member(record, "clock");
    if (sandbox_level_read(span_of(json_record_text(record, "contain", 20)), &tasks->sandbox) != 0)
        (void)json_record_refuse_member(record, "contain");
    else if (tasks->sandbox >= SANDBOX_AUTO || !place->levels[tasks->sandbox])
        (void)json_record_refuse(record, "bots are not run at that sandbox level here");
    tasks->may_ponder = json_record_flag(record, "ponder");
    tasks->keeps_bots = json_record_flag(record, "reuse");
    tasks->is_guessable = json_record_flag(record, "guessable");
    tasks->start_ms = (long)json_record_number(record, "start_ms", 0, MS_MAX);
    tasks->move_ms = (long)json_record_number(record, "move_ms", 0, MS_MAX);
    tasks->bank_ms = (long)json_record_number(record, "bank_ms", 0, MS_MAX);
    tasks->tables = (unsigned)json_record_number(record, "tables", 0, 256);
    tasks->most_tables = place->most_tables;
    tasks->silence_ms = place->silence_ms;
    tasks->folder = place->folder;
    tasks->machine = place->machine;
    tasks->speed = place->speed;
    scale_clocks(tasks, (long)json_record_number(record, "speed", 0, MS_MAX));
}

struct visit *visit_new(struct span settings, const struct visit_place *place, struct text *problem)
{
    struct json_document *document = json_document_new();
    const struct json_node *root = json_read(document, settings.start, settings.length, problem);
    struct visit *visit = xcalloc(1, sizeof *visit);
    struct json_record record;
    int result = -1;

    if (root != NULL) {
        record = json_record_start(root, problem);
        read_settings(visit, &record, place);
        if (!record.is_refused)
            result = read_bots(visit, json_record_list(&record, "bots", BOTS_MAX), place, problem);
        if (record.is_refused)
            result = -1;
    }
    json_document_free(document);
    if (result == 0)
        return visit;
    visit_free(visit);
    return NULL;
}

const struct task_setup *visit_tasks(const struct visit *visit)
{
    return &visit->tasks;
}

const char *visit_store(const struct visit *visit)
{
    return visit->store;
}

unsigned visit_bot_count(const struct visit *visit)
{
    return visit->bot_count;
}

struct visit_bot visit_bot(const struct visit *visit, unsigned number)
{
    const struct host_bot *bot = &visit->bots[number];

    return (struct visit_bot){bot->problem == NULL ? bot->parcel : "", bot->build};
}

const struct bot_setup *visit_bot_setup(const struct visit *visit, unsigned number)
{
    return &visit->setups[number];
}
