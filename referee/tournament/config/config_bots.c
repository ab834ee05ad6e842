/* The list of bots. Each is a map, or a text alone: its command, or its name in the catalogue. A
 * bot without a name gets one from its command. Whether a command can be run depends on the
 * machine; that is found out when the tournament starts.
 *
 * A daemon knows bots by name: with its catalogue, a file needs no more than the name. A remote bot
 * runs on somebody else's machine and connects to a daemon's socket; all that a file can say about
 * it is which socket, and what the bot is called there. */

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define VARIABLES_MAX 256
#define NAME_TAKES "1 to 32 letters, digits, \".\", \"-\" and \"_\", the first a letter or digit"

static config_key_fn read_name, read_source, read_environment;

const struct config_key config_bot_keys[CONFIG_BOT_KEYS] = {
    [CONFIG_BOT_NAME] = {"name", "its name in tables and files; no two may be the same", read_name,
                         .takes = NAME_TAKES, .default_text = "from the command"},
    [CONFIG_BOT_SOURCE] = {"bot",
                           "instead of a command: the name that a daemon knows it by, or NAME@N "
                           "for its version N",
                           read_source, .takes = NAME_TAKES, .default_text = "none"},
    [CONFIG_BOT_COMMAND] = {"command", "how to run it: the path of a program, or a command line",
                            config_read_text, .takes = "a text that is not empty",
                            .is_required = true, .offset = offsetof(struct config_bot, command)},
    [CONFIG_BOT_FOLDER] = {"folder", "where it runs; everything it needs is in there",
                           config_read_path, .takes = "a path", .default_text = "none",
                           .offset = offsetof(struct config_bot, folder)},
    [CONFIG_BOT_BUILD] = {"build",
                          "a shell command that builds it, run in its folder before all matches",
                          config_read_text, .takes = "a text that is not empty",
                          .default_text = "none", .offset = offsetof(struct config_bot, build)},
    [CONFIG_BOT_ENVIRONMENT] = {"environment", "environment variables for it", read_environment,
                                .takes = "a map of texts, {\"NAME\": \"value\"}",
                                .default_text = "none"},
    [CONFIG_BOT_MEMORY] = {"memory_mb", "how much memory it may use", config_read_number,
                           .default_text = "the limit of the sandbox",
                           CONFIG_MEMBER(config_bot, memory_mb), .least = 16, .most = 65536},
    [CONFIG_BOT_REMOTE] = {"remote",
                           "instead of a command: the socket of the daemon that it connects to",
                           config_read_path, .takes = "a path", .default_text = "none",
                           .offset = offsetof(struct config_bot, remote)},
};

static bool is_name(const struct json_node *node)
{
    return node->kind == JSON_TEXT &&
           span_is_name((struct span){node->text, node->length}, CONFIG_NAME_MAX);
}

static bool read_name(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    struct config_bot *bot = map->object;

    if (!is_name(node))
        return config_refuse(reader, map, key, node);
    memcpy(bot->name, node->text, node->length + 1);
    return true;
}

static bool read_source(struct config_reader *reader, const struct config_map *map,
                        const struct config_key *key, const struct json_node *node)
{
    struct config_bot *bot = map->object;
    struct span version = {node->text, node->length};
    struct span name = config_is_text(node) ? span_cut(&version, '@') : (struct span){"", 0};
    long number;

    if (!span_is_name(name, CONFIG_NAME_MAX) ||
        (version.start != NULL && span_read_number(version, 1, INT_MAX, &number) != 0))
        return config_refuse(reader, map, key, node);
    bot->source = xstrdup(node->text);
    return true;
}

/* The environment. */

static bool is_variable_name(const char *name)
{
    if (name[0] == '\0' || isdigit((unsigned char)name[0]))
        return false;
    for (; *name != '\0'; name++) {
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    }
    return true;
}

/* Adds "NAME=value" to an environment with enough room. */
static bool read_variable(struct config_reader *reader, const char *path, char **environment,
                          const struct json_node *node)
{
    bool is_named = is_variable_name(node->key);
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    if (is_named && node->kind == JSON_TEXT && strlen(node->text) == node->length) {
        size_t size = strlen(node->key) + node->length + 2;

        while (*environment != NULL)
            environment++;
        *environment = xcalloc(size, 1);
        snprintf(*environment, size, "%s=%s", node->key, node->text);
        return true;
    }
    text_start(&text, sentence, sizeof sentence);
    text_printf(&text, "%s: ", path);
    text_add_quoted(&text, span_of(node->key));
    if (is_named) {
        text_add(&text, " takes a text, not ");
        config_write_value(&text, node);
    } else {
        text_add(&text, " is not a variable name: letters, digits and _, no digit first");
    }
    config_add_problem(reader, is_named ? node->at : node->key_at, "%s", sentence);
    return false;
}

static bool read_environment(struct config_reader *reader, const struct config_map *map,
                             const struct config_key *key, const struct json_node *node)
{
    struct config_bot *bot = map->object;
    unsigned count = json_count(node);
    char path[60];
    bool is_fine = true;

    if (node->kind != JSON_MAP)
        return config_refuse(reader, map, key, node);
    snprintf(path, sizeof path, "%s.%s", map->path, key->name);
    if (count > VARIABLES_MAX) {
        config_add_problem(reader, node->at, "%s takes at most %d variables, not %u", path,
                           VARIABLES_MAX, count);
        return false;
    }
    bot->environment = xrealloc((void *)bot->environment, (count + 1) * sizeof *bot->environment);
    memset((void *)bot->environment, 0, (count + 1) * sizeof *bot->environment);
    for (const struct json_node *value = json_first(node); value != NULL;
         value = json_next(node, value)) {
        const struct json_node *first = json_member(node, value->key);

        if (first != value)
            config_refuse_twice(reader, path, first, value);
        is_fine = first == value && read_variable(reader, path, bot->environment, value) && is_fine;
    }
    return is_fine;
}

/* Bots that are known by name, and remote ones. */

static void refuse_key(struct config_reader *reader, const struct config_map *map,
                       enum config_bot_key key, const char *why)
{
    if (map->found[key] != NULL)
        config_add_problem(reader, map->found[key]->key_at, "%s.%s%s", map->path,
                           map->keys[key].name, why);
}

static void refuse_with_remote(struct config_reader *reader, const struct config_map *map)
{
    static const enum config_bot_key keys[] = {CONFIG_BOT_COMMAND, CONFIG_BOT_FOLDER,
                                               CONFIG_BOT_BUILD, CONFIG_BOT_ENVIRONMENT,
                                               CONFIG_BOT_MEMORY};

    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        refuse_key(reader, map, keys[i], " does not go with a remote bot");
}

/* Fills in the bot of that name from the catalogue. Returns false, with a sentence, if there is
 * none. */
static bool find_bot(const struct config_reader *reader, struct config_bot *bot, const char *name,
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
    if (bot->name[0] == '\0')
        snprintf(bot->name, sizeof bot->name, "%.*s", (int)strcspn(name, "@"), name);
    return true;
}

static void look_up(struct config_reader *reader, const struct config_map *map,
                    enum config_bot_key key)
{
    static const char why[] =
        " goes only with a command: the daemon knows how to run a bot that is given by name";
    struct config_bot *bot = map->object;
    size_t before = reader->problem_count;
    char sentence[CONFIG_SENTENCE_MAX];
    struct text problem;

    refuse_key(reader, map, CONFIG_BOT_FOLDER, why);
    refuse_key(reader, map, CONFIG_BOT_BUILD, why);
    if (!map->is_fine[key] || reader->problem_count > before)
        return;
    text_start(&problem, sentence, sizeof sentence);
    text_add(&problem, ": ");
    if (!find_bot(reader, bot, map->found[key]->text, &problem))
        refuse_key(reader, map, key, sentence);
    else if (bot->remote != NULL)
        refuse_with_remote(reader, map);
}

/* In a file without a catalogue. */
static void check_remote(struct config_reader *reader, const struct config_map *map,
                         const struct json_node *node)
{
    struct config_bot *bot = map->object;

    refuse_with_remote(reader, map);
    if (bot->source != NULL && bot->name[0] == '\0')
        snprintf(bot->name, sizeof bot->name, "%s", bot->source);
    if (map->found[CONFIG_BOT_NAME] == NULL && map->found[CONFIG_BOT_SOURCE] == NULL)
        config_add_problem(reader, node->at, "%s.name is missing: it takes " NAME_TAKES, map->path);
}

/* Finds out what runs the bot: a command, a name in the catalogue, or a program elsewhere. */
static void check_source(struct config_reader *reader, const struct config_map *map,
                         const struct json_node *node)
{
    bool has_command = map->found[CONFIG_BOT_COMMAND] != NULL;
    bool has_source = map->found[CONFIG_BOT_SOURCE] != NULL;
    bool is_remote = map->found[CONFIG_BOT_REMOTE] != NULL;

    if (reader->catalogue == NULL) {
        if (is_remote)
            check_remote(reader, map, node);
        else if (has_source)
            refuse_key(reader, map, CONFIG_BOT_SOURCE,
                       " is for files that are submitted to a daemon: here a bot takes a "
                       "\"command\"");
        else if (!has_command)
            config_add_problem(reader, node->at,
                               "%s.command is missing: the path of a program, or a command line",
                               map->path);
    } else if (is_remote) {
        refuse_key(reader, map, CONFIG_BOT_REMOTE,
                   " is not for files that are submitted to a daemon, which knows where a bot "
                   "runs");
    } else if (has_command) {
        refuse_key(reader, map, CONFIG_BOT_SOURCE, " does not go with a command");
    } else if (has_source || map->found[CONFIG_BOT_NAME] != NULL) {
        look_up(reader, map, has_source ? CONFIG_BOT_SOURCE : CONFIG_BOT_NAME);
    } else {
        config_add_problem(
            reader, node->at,
            "%s takes a \"bot\", the name of a bot that the daemon knows, or a \"command\"",
            map->path);
    }
}

/* Names. */

/* A word of a command, or what stands between quotes, which may have blanks in it. */
static struct span cut_argument(struct span *rest)
{
    size_t blanks = rest->length > 0 ? strspn(rest->start, " \t\r\n") : 0;
    const char *start = rest->start + blanks;
    const char *end;

    if (blanks >= rest->length || (*start != '\'' && *start != '"'))
        return span_cut_word(rest);
    end = strchr(start + 1, *start);
    if (end == NULL)
        return span_cut_word(rest);
    *rest = span_of(end + 1);
    return (struct span){start + 1, (size_t)(end - start - 1)};
}

/* The word of a command that names it best: the first that is a path, else the first. An
 * interpreter is seldom given by its path; what it runs often is. */
static struct span naming_word(const char *command)
{
    struct span rest = span_of(command);
    struct span first = cut_argument(&rest);

    for (struct span word = first; word.length > 0; word = cut_argument(&rest)) {
        if (memchr(word.start, '/', word.length) != NULL)
            return word;
    }
    return first;
}

/* Names a bot after the file in its command, without the extension, and with `_` for characters
 * that no name may have. */
static void name_by_command(struct config_reader *reader, const struct config_map *map, size_t at)
{
    struct config_bot *bot = map->object;
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
        bot->name[i] = isalnum((unsigned char)start[i]) || strchr(".-_", start[i]) ? start[i] : '_';
    bot->name[length] = '\0';
    if (span_is_name(span_of(bot->name), CONFIG_NAME_MAX))
        return;
    bot->name[0] = '\0';
    config_add_problem(
        reader, at,
        "%s.name is missing, and none can be made from the command: it takes " NAME_TAKES,
        map->path);
}

/* Names become names of files, and some file systems ignore case. */
static void check_names(struct config_reader *reader, unsigned number, size_t at)
{
    const struct config_bot *bots = reader->config->bots;

    for (unsigned i = 0; i < number && bots[number].name[0] != '\0'; i++) {
        if (strcasecmp(bots[i].name, bots[number].name) != 0)
            continue;
        config_add_problem(reader, at,
                           "bots[%u].name is \"%s\", and bots[%u] in line %u is \"%s\": names must "
                           "differ in more than case",
                           number, bots[number].name, i, bots[i].line, bots[i].name);
        return;
    }
}

/* The list. */

/* Returns the byte of the file where its name is, or where the bot is if it has none. */
static size_t read_bot_map(struct config_reader *reader, struct config_map *map,
                           const struct json_node *node)
{
    config_map_read(reader, map, node);
    check_source(reader, map, node);
    if (map->found[CONFIG_BOT_FOLDER] == NULL)
        refuse_key(reader, map, CONFIG_BOT_BUILD,
                   " runs in the folder of the bot: the key \"folder\" is missing");
    if (map->found[CONFIG_BOT_NAME] != NULL)
        return map->found[CONFIG_BOT_NAME]->at;
    if (map->is_fine[CONFIG_BOT_COMMAND])
        name_by_command(reader, map, node->at);
    return node->at;
}

static void read_bot(struct config_reader *reader, unsigned number, const struct json_node *node)
{
    struct config_bot *bot = &reader->config->bots[number];
    struct config_map map = {.keys = config_bot_keys, .count = CONFIG_BOT_KEYS, .object = bot};
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;
    size_t name_at = node->at;

    snprintf(map.path, sizeof map.path, "bots[%u]", number);
    text_start(&text, sentence, sizeof sentence);
    bot->environment = xcalloc(1, sizeof *bot->environment);
    bot->line = json_place_at(reader->source, node->at).line;
    config_map_start(&map);
    if (node->kind == JSON_MAP) {
        name_at = read_bot_map(reader, &map, node);
    } else if (!config_is_text(node)) {
        config_write_value(&text, node);
        config_add_problem(
            reader, node->at,
            "%s takes a map with a \"command\", or a command alone as a text, not %s", map.path,
            sentence);
    } else if (reader->catalogue == NULL || !is_name(node) ||
               !find_bot(reader, bot, node->text, &text)) {
        bot->command = xstrdup(node->text);
        name_by_command(reader, &map, node->at);
    }
    check_names(reader, number, name_at);
}

bool config_read_bots(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    struct config *config = reader->config;
    size_t before = reader->problem_count;
    unsigned count;
    const struct json_node *bot;

    if (node->kind != JSON_LIST)
        return config_refuse(reader, map, key, node);
    count = json_count(node);
    if (count < ALLEGRA_SEATS_MIN || count > CONFIG_BOTS_MAX)
        config_add_problem(reader, node->at, "bots takes %s, not %u", key->takes, count);
    config->bot_count = count < CONFIG_BOTS_MAX ? count : CONFIG_BOTS_MAX;
    config->bots = xcalloc(config->bot_count + 1, sizeof *config->bots);
    bot = json_first(node);
    for (unsigned i = 0; i < config->bot_count; i++) {
        read_bot(reader, i, bot);
        bot = json_next(node, bot);
    }
    return reader->problem_count == before;
}
