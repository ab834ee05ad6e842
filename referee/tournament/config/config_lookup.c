/* Where a bot comes from that has no command. A daemon knows bots by name: with its catalogue, a file
 * needs no more than that. A remote bot runs on somebody else's machine and comes to the socket of a
 * daemon; all that a file can say of it is where that is and what it is called there. */

#include "base/memory.h"
#include "tournament/plan_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_problem(struct plan_reader *reader, const struct plan_map *map,
                        enum plan_bot_key key, const char *words)
{
    char sentence[PLAN_SENTENCE_MAX];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    plan_add_path(&text, map->path, map->keys[key].name);
    text_add(&text, words);
    plan_add_problem(reader, map->found[key]->key_at, sentence);
}

/* Keys that say how a bot is run go only with a command. */

static const enum plan_bot_key not_with_source[] = {PLAN_BOT_FOLDER, PLAN_BOT_BUILD};
static const enum plan_bot_key not_with_remote[] = {
    PLAN_BOT_COMMAND, PLAN_BOT_FOLDER, PLAN_BOT_BUILD, PLAN_BOT_ENVIRONMENT, PLAN_BOT_MEMORY};

static void refuse_keys(struct plan_reader *reader, const struct plan_map *map,
                        const enum plan_bot_key *keys, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++) {
        if (map->found[keys[i]] != NULL)
            add_problem(reader, map, keys[i], why);
    }
}

static void refuse_with_remote(struct plan_reader *reader, const struct plan_map *map)
{
    refuse_keys(reader, map, not_with_remote, ARRAY_LEN(not_with_remote),
                " does not go with a bot that runs elsewhere");
}

static void set_name(struct plan_bot *bot, const char *name)
{
    if (bot->name[0] == '\0')
        snprintf(bot->name, sizeof bot->name, "%s", name);
}

bool plan_find_bot(const struct plan_reader *reader, struct plan_bot *bot, const char *name,
                   struct text *problem)
{
    struct plan_bot found = {.command = NULL};

    if (reader->catalogue->find(reader->catalogue->context, name, &found, problem) != 0)
        return false;
    bot->command = found.command;
    bot->remote = found.remote;
    bot->folder = found.folder;
    bot->build = found.build;
    if (bot->memory_mb == 0)
        bot->memory_mb = found.memory_mb;
    if (bot->source == NULL)
        bot->source = xstrdup(name);
    set_name(bot, name);
    return true;
}

static void look_up(struct plan_reader *reader, const struct plan_map *map, enum plan_bot_key key)
{
    struct plan_bot *bot = map->object;
    const struct json_node *node = map->found[key];
    size_t before = reader->problem_count;
    char words[PLAN_SENTENCE_MAX];
    struct text problem;

    refuse_keys(reader, map, not_with_source, ARRAY_LEN(not_with_source),
                " goes only with a command: how a bot is run that is known by name is known too");
    if (!map->is_fine[key] || reader->problem_count > before)
        return;
    text_start(&problem, words, sizeof words);
    text_add(&problem, ": ");
    if (!plan_find_bot(reader, bot, node->text, &problem))
        add_problem(reader, map, key, words);
    else if (bot->remote != NULL)
        refuse_with_remote(reader, map);
}

/* The file itself says that a bot is remote. */
static void check_remote(struct plan_reader *reader, const struct plan_map *map,
                         const struct json_node *node)
{
    struct plan_bot *bot = map->object;
    char sentence[PLAN_SENTENCE_MAX];

    refuse_with_remote(reader, map);
    if (bot->source != NULL)
        set_name(bot, bot->source);
    if (map->found[PLAN_BOT_NAME] != NULL || map->found[PLAN_BOT_SOURCE] != NULL)
        return;
    snprintf(sentence, sizeof sentence, "%s.name is missing: it takes %s", map->path,
             plan_bot_keys[PLAN_BOT_NAME].takes);
    plan_add_problem(reader, node->at, sentence);
}

/* Without a catalogue. */
static void read_alone(struct plan_reader *reader, const struct plan_map *map,
                       const struct json_node *node)
{
    char sentence[PLAN_SENTENCE_MAX];

    if (map->found[PLAN_BOT_REMOTE] != NULL) {
        check_remote(reader, map, node);
    } else if (map->found[PLAN_BOT_SOURCE] != NULL) {
        add_problem(reader, map, PLAN_BOT_SOURCE,
                    " is for a file that a daemon is given, which knows the bot by that name: here "
                    "it takes a \"command\"");
    } else if (map->found[PLAN_BOT_COMMAND] == NULL) {
        snprintf(sentence, sizeof sentence,
                 "%s.command is missing: the path of a program, or a command line", map->path);
        plan_add_problem(reader, node->at, sentence);
    }
}

void plan_read_source(struct plan_reader *reader, const struct plan_map *map,
                      const struct json_node *node)
{
    char sentence[PLAN_SENTENCE_MAX];

    if (reader->catalogue == NULL) {
        read_alone(reader, map, node);
    } else if (map->found[PLAN_BOT_REMOTE] != NULL) {
        add_problem(reader, map, PLAN_BOT_REMOTE,
                    " is not for a file that a daemon is given: it knows by the name of a bot "
                    "where that runs");
    } else if (map->found[PLAN_BOT_COMMAND] != NULL) {
        if (map->found[PLAN_BOT_SOURCE] != NULL)
            add_problem(reader, map, PLAN_BOT_SOURCE, " does not go with a command");
    } else if (map->found[PLAN_BOT_SOURCE] != NULL) {
        look_up(reader, map, PLAN_BOT_SOURCE);
    } else if (map->found[PLAN_BOT_NAME] != NULL) {
        look_up(reader, map, PLAN_BOT_NAME);
    } else {
        snprintf(sentence, sizeof sentence,
                 "%s takes a \"bot\", the name of one that is known here, or a \"command\"",
                 map->path);
        plan_add_problem(reader, node->at, sentence);
    }
}
