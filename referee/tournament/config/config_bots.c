/* The list of bots. Each is a map, or a text that is its command alone, or its name in the catalogue. A
 * bot without a name gets one from its command. Commands are not looked at here beyond that there is one: whether they can be run
 * depends on the machine and is found out when the tournament starts. */

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NAME_TAKES "1 to 32 letters, digits, \".\", \"-\" and \"_\", the first a letter or digit"

static config_key_fn read_name, read_source;

const struct config_key config_bot_keys[CONFIG_BOT_KEYS] = {
    [CONFIG_BOT_NAME] = {"name", "what tables and files call it; no two may be alike", read_name,
                         .takes = NAME_TAKES, .otherwise = "from the command"},
    [CONFIG_BOT_SOURCE] = {"bot", "instead of a command: the name under which a daemon knows it",
                           read_source, .takes = NAME_TAKES, .otherwise = "none"},
    [CONFIG_BOT_COMMAND] = {"command", "how to run it: the path of a program, or a command line",
                            config_read_words, .takes = "a text that is not empty",
                            .is_required = true, .offset = offsetof(struct config_bot, command)},
    [CONFIG_BOT_FOLDER] = {"folder", "where it runs; all that it needs is in there",
                           config_read_path, .takes = "a path", .otherwise = "none",
                           .offset = offsetof(struct config_bot, folder)},
    [CONFIG_BOT_BUILD] = {"build",
                          "a shell command that makes it, run in its folder before all matches",
                          config_read_words, .takes = "a text that is not empty",
                          .otherwise = "none", .offset = offsetof(struct config_bot, build)},
    [CONFIG_BOT_ENVIRONMENT] = {"environment", "variables that it finds in its environment",
                                config_read_environment,
                                .takes = "a map of texts, {\"NAME\": \"value\"}",
                                .otherwise = "none"},
    [CONFIG_BOT_MEMORY] = {"memory_mb", "how much memory it may use", config_read_number,
                           .otherwise = "what the containment gives",
                           CONFIG_MEMBER(config_bot, memory_mb), .least = 16, .most = 65536},
    [CONFIG_BOT_REMOTE] = {"remote",
                           "instead of a command: the socket of the daemon that it comes to",
                           config_read_path, .takes = "a path", .otherwise = "none",
                           .offset = offsetof(struct config_bot, remote)},
};

static bool is_name_letter(char byte)
{
    return isalnum((unsigned char)byte) || byte == '.' || byte == '-' || byte == '_';
}

static bool is_name(const char *name, size_t length)
{
    if (length < 1 || length > CONFIG_NAME_MAX || !isalnum((unsigned char)name[0]))
        return false;
    for (size_t i = 0; i < length; i++) {
        if (!is_name_letter(name[i]))
            return false;
    }
    return true;
}

static bool read_name(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    struct config_bot *bot = map->object;

    if (node->kind != JSON_TEXT || !is_name(node->text, node->length))
        return config_refuse(reader, map, key, node);
    memcpy(bot->name, node->text, node->length + 1);
    return true;
}

static bool read_source(struct config_reader *reader, const struct config_map *map,
                        const struct config_key *key, const struct json_node *node)
{
    struct config_bot *bot = map->object;

    if (node->kind != JSON_TEXT || !is_name(node->text, node->length))
        return config_refuse(reader, map, key, node);
    bot->source = xstrdup(node->text);
    return true;
}

/* The word of a command that names it best: the first that is a path, else the first. An interpreter is
 * seldom given by its path, what it runs often is. */
static struct span naming_word(const char *command)
{
    struct span rest = span_of(command);
    struct span first = span_cut_word(&rest);

    for (struct span word = first; word.length > 0; word = span_cut_word(&rest)) {
        if (memchr(word.start, '/', word.length) != NULL)
            return word;
    }
    return first;
}

/* The file name in the command without its ending, with `_` for what no name may hold. */
static void make_name(struct config_bot *bot)
{
    struct span word = naming_word(bot->command);
    const char *slash = memrchr(word.start, '/', word.length);
    const char *start = slash != NULL ? slash + 1 : word.start;
    size_t length = word.length - (size_t)(start - word.start);
    const char *dot = memrchr(start, '.', length);

    if (dot != NULL && dot > start)
        length = (size_t)(dot - start);
    if (length > CONFIG_NAME_MAX)
        length = CONFIG_NAME_MAX;
    for (size_t i = 0; i < length; i++)
        bot->name[i] = is_name_letter(start[i]) ? start[i] : '_';
    bot->name[length] = '\0';
    if (!is_name(bot->name, length))
        bot->name[0] = '\0';
}

static void name_by_command(struct config_reader *reader, const struct config_map *map, size_t at)
{
    struct config_bot *bot = map->object;
    char sentence[CONFIG_SENTENCE_MAX];

    make_name(bot);
    if (bot->name[0] != '\0')
        return;
    snprintf(sentence, sizeof sentence,
             "%s.name is missing, and none can be made from the command: it takes %s", map->path,
             config_bot_keys[CONFIG_BOT_NAME].takes);
    config_add_problem(reader, at, sentence);
}

static void check_bot(struct config_reader *reader, const struct config_map *map,
                      const struct json_node *node)
{
    char sentence[CONFIG_SENTENCE_MAX];

    config_read_source(reader, map, node);
    if (map->found[CONFIG_BOT_BUILD] != NULL && map->found[CONFIG_BOT_FOLDER] == NULL) {
        snprintf(sentence, sizeof sentence,
                 "%s.build runs in the folder of the bot: the key \"folder\" is missing",
                 map->path);
        config_add_problem(reader, map->found[CONFIG_BOT_BUILD]->key_at, sentence);
    }
    if (map->found[CONFIG_BOT_NAME] == NULL && map->is_fine[CONFIG_BOT_COMMAND])
        name_by_command(reader, map, node->at);
}

/* A bot that is a text alone. */
static void read_words(struct config_reader *reader, const struct config_map *map,
                       const struct json_node *node)
{
    struct config_bot *bot = map->object;
    char words[CONFIG_SENTENCE_MAX];
    struct text problem;

    text_start(&problem, words, sizeof words);
    if (reader->catalogue != NULL && is_name(node->text, node->length) &&
        config_find_bot(reader, bot, node->text, &problem))
        return;
    bot->command = xstrdup(node->text);
    name_by_command(reader, map, node->at);
}

/* Returns the byte of the file that its name is said to stand at. */
static size_t read_bot(struct config_reader *reader, unsigned number, const struct json_node *node)
{
    struct config_bot *bot = &reader->config->bots[number];
    struct config_map map = {.keys = config_bot_keys, .count = CONFIG_BOT_KEYS, .object = bot};
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    snprintf(map.path, sizeof map.path, "bots[%u]", number);
    bot->environment = xcalloc(1, sizeof *bot->environment);
    bot->line = json_place_at(reader->source, node->at).line;
    config_map_start(&map);
    if (node->kind == JSON_MAP) {
        config_map_read(reader, &map, node);
        check_bot(reader, &map, node);
        return map.found[CONFIG_BOT_NAME] != NULL ? map.found[CONFIG_BOT_NAME]->at : node->at;
    }
    if (config_is_text(node)) {
        read_words(reader, &map, node);
        return node->at;
    }
    text_start(&text, sentence, sizeof sentence);
    text_add(&text, map.path);
    text_add(&text, " takes a map with a \"command\", or a command alone as a text, not ");
    config_add_value(&text, node);
    config_add_problem(reader, node->at, sentence);
    return node->at;
}

/* Names become names of files, and some file systems do not tell capitals apart. */
static void check_names(struct config_reader *reader, unsigned number, size_t at)
{
    const struct config_bot *bots = reader->config->bots;
    char sentence[CONFIG_SENTENCE_MAX];

    for (unsigned i = 0; i < number && bots[number].name[0] != '\0'; i++) {
        if (strcasecmp(bots[i].name, bots[number].name) != 0)
            continue;
        snprintf(sentence, sizeof sentence,
                 "bots[%u].name is \"%s\", and bots[%u] in line %u is \"%s\": no two may be alike, "
                 "capitals or not",
                 number, bots[number].name, i, bots[i].line, bots[i].name);
        config_add_problem(reader, at, sentence);
        return;
    }
}

bool config_read_bots(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    struct config *config = reader->config;
    size_t problems = reader->problem_count;
    unsigned count;
    char sentence[CONFIG_SENTENCE_MAX];
    const struct json_node *bot;

    if (node->kind != JSON_LIST)
        return config_refuse(reader, map, key, node);
    count = json_count(node);
    if (count < ALLEGRA_SEATS_MIN || count > CONFIG_BOTS_MAX) {
        snprintf(sentence, sizeof sentence, "bots takes %s, not %u", key->takes, count);
        config_add_problem(reader, node->at, sentence);
    }
    config->bot_count = count < CONFIG_BOTS_MAX ? count : CONFIG_BOTS_MAX;
    config->bots = xcalloc(config->bot_count + 1, sizeof *config->bots);
    bot = json_first(node);
    for (unsigned i = 0; i < config->bot_count; i++) {
        check_names(reader, i, read_bot(reader, i, bot));
        bot = json_next(node, bot);
    }
    return reader->problem_count == problems;
}
