/* Where a bot comes from that has no command. A daemon knows bots by name: with its catalogue, a file
 * needs no more than that. A remote bot runs on somebody else's machine and comes to the socket of a
 * daemon; all that a file can say of it is where that is and what it is called there. */

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_problem(struct config_reader *reader, const struct config_map *map,
                        enum config_bot_key key, const char *words)
{
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    config_add_path(&text, map->path, map->keys[key].name);
    text_add(&text, words);
    config_add_problem(reader, map->found[key]->key_at, sentence);
}

/* Keys that say how a bot is run go only with a command. */

static const enum config_bot_key not_with_source[] = {CONFIG_BOT_FOLDER, CONFIG_BOT_BUILD};
static const enum config_bot_key not_with_remote[] = {CONFIG_BOT_COMMAND, CONFIG_BOT_FOLDER,
                                                      CONFIG_BOT_BUILD, CONFIG_BOT_ENVIRONMENT,
                                                      CONFIG_BOT_MEMORY};

static void refuse_keys(struct config_reader *reader, const struct config_map *map,
                        const enum config_bot_key *keys, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++) {
        if (map->found[keys[i]] != NULL)
            add_problem(reader, map, keys[i], why);
    }
}

static void refuse_with_remote(struct config_reader *reader, const struct config_map *map)
{
    refuse_keys(reader, map, not_with_remote, ARRAY_LEN(not_with_remote),
                " does not go with a bot that runs elsewhere");
}

static void set_name(struct config_bot *bot, const char *name)
{
    if (bot->name[0] == '\0')
        snprintf(bot->name, sizeof bot->name, "%s", name);
}

bool config_find_bot(const struct config_reader *reader, struct config_bot *bot, const char *name,
                     struct text *problem)
{
    struct config_bot found = {.command = NULL};

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

static void look_up(struct config_reader *reader, const struct config_map *map,
                    enum config_bot_key key)
{
    struct config_bot *bot = map->object;
    const struct json_node *node = map->found[key];
    size_t before = reader->problem_count;
    char words[CONFIG_SENTENCE_MAX];
    struct text problem;

    refuse_keys(reader, map, not_with_source, ARRAY_LEN(not_with_source),
                " goes only with a command: how a bot is run that is known by name is known too");
    if (!map->is_fine[key] || reader->problem_count > before)
        return;
    text_start(&problem, words, sizeof words);
    text_add(&problem, ": ");
    if (!config_find_bot(reader, bot, node->text, &problem))
        add_problem(reader, map, key, words);
    else if (bot->remote != NULL)
        refuse_with_remote(reader, map);
}

/* The file itself says that a bot is remote. */
static void check_remote(struct config_reader *reader, const struct config_map *map,
                         const struct json_node *node)
{
    struct config_bot *bot = map->object;
    char sentence[CONFIG_SENTENCE_MAX];

    refuse_with_remote(reader, map);
    if (bot->source != NULL)
        set_name(bot, bot->source);
    if (map->found[CONFIG_BOT_NAME] != NULL || map->found[CONFIG_BOT_SOURCE] != NULL)
        return;
    snprintf(sentence, sizeof sentence, "%s.name is missing: it takes %s", map->path,
             config_bot_keys[CONFIG_BOT_NAME].takes);
    config_add_problem(reader, node->at, sentence);
}

/* Without a catalogue. */
static void read_alone(struct config_reader *reader, const struct config_map *map,
                       const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];

    if (map->found[CONFIG_BOT_REMOTE] != NULL) {
        check_remote(reader, map, node);
    } else if (map->found[CONFIG_BOT_SOURCE] != NULL) {
        add_problem(reader, map, CONFIG_BOT_SOURCE,
                    " is for a file that a daemon is given, which knows the bot by that name: here "
                    "it takes a \"command\"");
    } else if (map->found[CONFIG_BOT_COMMAND] == NULL) {
        snprintf(sentence, sizeof sentence,
                 "%s.command is missing: the path of a program, or a command line", map->path);
        config_add_problem(reader, node->at, sentence);
    }
}

void config_read_source(struct config_reader *reader, const struct config_map *map,
                        const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];

    if (reader->catalogue == NULL) {
        read_alone(reader, map, node);
    } else if (map->found[CONFIG_BOT_REMOTE] != NULL) {
        add_problem(reader, map, CONFIG_BOT_REMOTE,
                    " is not for a file that a daemon is given: it knows by the name of a bot "
                    "where that runs");
    } else if (map->found[CONFIG_BOT_COMMAND] != NULL) {
        if (map->found[CONFIG_BOT_SOURCE] != NULL)
            add_problem(reader, map, CONFIG_BOT_SOURCE, " does not go with a command");
    } else if (map->found[CONFIG_BOT_SOURCE] != NULL) {
        look_up(reader, map, CONFIG_BOT_SOURCE);
    } else if (map->found[CONFIG_BOT_NAME] != NULL) {
        look_up(reader, map, CONFIG_BOT_NAME);
    } else {
        snprintf(sentence, sizeof sentence,
                 "%s takes a \"bot\", the name of one that is known here, or a \"command\"",
                 map->path);
        config_add_problem(reader, node->at, sentence);
    }
}
