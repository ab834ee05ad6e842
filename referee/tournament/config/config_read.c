/* Reads a tournament file: one table of its keys, and the way from bytes to a plan. The same table
 * is the help. */

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_MAX 100
#define DAY_MS 86400000

static config_key_fn read_title, read_hero, read_sandbox;

/* clang-format off */
#define RANGE(from, to, without) .least = (from), .most = (to), .standard = (without)
#define MEMBER(member) CONFIG_MEMBER(config, member)
#define WORDS(...) .words = {__VA_ARGS__}

const struct config_key config_keys[CONFIG_KEY_COUNT] = {
    [CONFIG_NAME] = {"name", "what the tournament is called", read_title,
        .takes = "a text of 1 to 100 bytes, no control characters",
        .otherwise = "the name of the file without its ending"},
    [CONFIG_OUTPUT] = {"output", "the folder for results, logs and the report", config_read_path,
        .takes = "a path", .otherwise = "the path of the file without \".json\"",
        .offset = offsetof(struct config, output)},
    [CONFIG_BOTS] = {"bots", "who plays: maps with the keys below, or commands alone", config_read_bots,
        .takes = "a list of 2 to 1000 bots", .is_required = true},
    [CONFIG_EDITION] = {"edition", "whose rules are played; `referee rules` shows them", config_read_edition,
        .takes = "the name of an edition as a text", .otherwise = "\"de2026\""},
    [CONFIG_RULES] = {"rules", "rule keys that differ from the edition", config_read_rules,
        .takes = "a map of rule keys, {\"rounds\": 3}", .otherwise = "none"},
    [CONFIG_SEATS] = {"seats", "how many sit at a table", config_read_number, MEMBER(schedule.seats),
        RANGE(ALLEGRA_SEATS_MIN, ALLEGRA_SEATS_MAX, 0), .otherwise = "4, or all bots if they are fewer"},
    [CONFIG_FORMAT] = {"format", "who meets whom: all groups, those with the hero, or those who did alike",
        config_read_word, MEMBER(schedule.format),
        WORDS([SCHEDULE_ROUND_ROBIN] = "round-robin", [SCHEDULE_GAUNTLET] = "gauntlet",
              [SCHEDULE_SWISS] = "swiss")},
    [CONFIG_HERO] = {"hero", "gauntlet: the bot that sits at every table", read_hero,
        .takes = "the name of one of the bots", .otherwise = "the first bot"},
    [CONFIG_DEALS] = {"deals", "deals for each group of bots (swiss: for each table of a round)",
        config_read_number, MEMBER(schedule.deals), RANGE(1, 100000, 10)},
    [CONFIG_MATCHES] = {"matches", "no more than that, in a balanced choice of groups; 0: all (not swiss)",
        config_read_number, MEMBER(schedule.matches), RANGE(0, 10000000, 0)},
    [CONFIG_ROUNDS] = {"rounds", "swiss: how many rounds of tables", config_read_number,
        MEMBER(schedule.rounds), RANGE(1, 100, 0),
        .otherwise = "n for up to 2^n bots, at least 3"},
    [CONFIG_SEATINGS] = {"seatings", "a deal is played in every order of the bots, rotated around the table, or once",
        config_read_word, MEMBER(schedule.seatings),
        .otherwise = "\"all\" up to 4 seats, else \"rotations\"",
        WORDS([SCHEDULE_ALL] = "all", [SCHEDULE_ROTATIONS] = "rotations",
              [SCHEDULE_SINGLE] = "single")},
    [CONFIG_SCHEDULE_SEED] = {"schedule_seed", "draws the schedule, never the cards", config_read_number,
        MEMBER(schedule.seed), RANGE(0, 1L << 53, 1)},
    [CONFIG_CLOCK] = {"clock", "fair: what the machine withheld is not charged; wall: all time is",
        config_read_word, MEMBER(clock), WORDS([CLOCK_FAIR] = "fair", [CLOCK_WALL] = "wall")},
    [CONFIG_START_MS] = {"start_ms", "time to say hello", config_read_number, MEMBER(start_ms),
        RANGE(1, DAY_MS, 10000)},
    [CONFIG_MOVE_MS] = {"move_ms", "time for each answer", config_read_number, MEMBER(move_ms),
        RANGE(1, DAY_MS, 1000)},
    [CONFIG_BANK_MS] = {"bank_ms", "extra time for the whole match", config_read_number, MEMBER(bank_ms),
        RANGE(0, DAY_MS, 0)},
    [CONFIG_CONTAIN] = {"contain", "how bots are kept from harm: auto takes the best that is there",
        read_sandbox, WORDS("auto", "sealed", "guarded", "none")},
    [CONFIG_JOBS] = {"jobs", "worker processes; 0: one for each core", config_read_number, MEMBER(jobs),
        RANGE(0, 256, 0)},
    [CONFIG_TABLES] = {"tables", "matches at once in each worker; 0: as its bots need it", config_read_number,
        MEMBER(tables), RANGE(0, 256, 0)},
    [CONFIG_REUSE] = {"reuse", "whether bots that offer it stay for the next match", config_read_flag,
        .takes = "true or false", .otherwise = "false", MEMBER(keeps_bots)},
    [CONFIG_MAX_FAULTS] = {"max_faults", "withdraws a bot that was at fault in so many matches; 0: never",
        config_read_number, MEMBER(max_faults), RANGE(0, 10000000, 0)},
};
/* clang-format on */

static bool read_title(struct config_reader *reader, const struct config_map *map,
                       const struct config_key *key, const struct json_node *node)
{
    bool is_fine = config_is_text(node) && node->length <= TITLE_MAX;

    for (size_t i = 0; is_fine && i < node->length; i++)
        is_fine = (unsigned char)node->text[i] >= ' ' && node->text[i] != '\x7f';
    if (!is_fine)
        return config_refuse(reader, map, key, node);
    reader->config->name = xstrdup(node->text);
    return true;
}

/* Which bot that is, config_check() finds out. */
static bool read_hero(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    return config_is_text(node) || config_refuse(reader, map, key, node);
}

static bool read_sandbox(struct config_reader *reader, const struct config_map *map,
                         const struct config_key *key, const struct json_node *node)
{
    if (!config_read_word(reader, map, key, node))
        return false;
    reader->config->sandbox = xstrdup(node->text);
    return true;
}

/* Paths. */

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static char *folder_of(const char *path)
{
    const char *last = last_part(path);

    if (last == path)
        return xstrdup(".");
    return xstrndup(path, last - path > 1 ? (size_t)(last - path - 1) : 1);
}

char *config_path(const struct config *config, const char *path)
{
    size_t size = strlen(config->folder) + strlen(path) + 2;
    char *joined;

    if (path[0] == '/' || strcmp(config->folder, ".") == 0)
        return xstrdup(path);
    joined = xcalloc(size, 1);
    snprintf(joined, size, "%s%s%s", config->folder, strcmp(config->folder, "/") == 0 ? "" : "/",
             path);
    return joined;
}

static char *default_name(const char *path)
{
    const char *last = last_part(path);
    const char *dot = strrchr(last, '.');

    return xstrndup(last, dot != NULL && dot > last ? (size_t)(dot - last) : strlen(last));
}

/* A file without the ending cannot be a folder of the same name. */
static char *default_output(const char *path)
{
    static const char ending[] = ".json";
    static const char instead[] = "-store";
    size_t length = strlen(path);
    char *output;

    if (length >= sizeof ending && strcmp(path + length - strlen(ending), ending) == 0 &&
        path[length - sizeof ending] != '/')
        return xstrndup(path, length - strlen(ending));
    output = xcalloc(length + sizeof instead, 1);
    snprintf(output, length + sizeof instead, "%s%s", path, instead);
    return output;
}

static void set_defaults(struct config *config, const char *path)
{
    if (config->name == NULL)
        config->name = default_name(path);
    if (config->output == NULL)
        config->output = default_output(path);
    if (config->sandbox == NULL)
        config->sandbox = xstrdup(config_keys[CONFIG_CONTAIN].words[0]);
}

/* The whole file. */

static void read_root(struct config_reader *reader, const struct json_node *root)
{
    struct config_map map = {
        .keys = config_keys, .count = CONFIG_KEY_COUNT, .object = reader->config};
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;

    if (root->kind == JSON_MAP) {
        config_map_start(&map);
        config_map_read(reader, &map, root);
        config_check(reader, &map, root);
        return;
    }
    text_start(&text, sentence, sizeof sentence);
    text_add(&text, "the file takes a map, {\"bots\": [...]}, not ");
    config_add_value(&text, root);
    config_add_problem(reader, root->at, sentence);
}

static void read_file(struct config_reader *reader)
{
    struct json_document *document = json_document_new();
    const struct json_node *root = NULL;
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;
    size_t at = 0;

    text_start(&text, sentence, sizeof sentence);
    if (reader->source.length > CONFIG_FILE_MAX)
        snprintf(sentence, sizeof sentence, "the file is larger than %d bytes", CONFIG_FILE_MAX);
    else
        root = json_read_commented(document, reader->source, &at, &text);
    if (root != NULL)
        read_root(reader, root);
    else
        config_add_problem(reader, at, sentence);
    json_document_free(document);
}

struct config *config_read_with(struct span file, const char *path,
                                const struct config_catalogue *catalogue,
                                config_problem_fn *problem, void *context)
{
    struct config *config = xcalloc(1, sizeof *config);
    struct config_reader reader = {.config = config,
                                   .source = {file.length > 0 ? file.start : "", file.length},
                                   .catalogue = catalogue};

    config->folder = folder_of(path);
    config->rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    read_file(&reader);
    set_defaults(config, path);
    if (reader.problem_count > 0) {
        config_tell_problems(&reader, problem, context);
        config_free(config);
        config = NULL;
    }
    config_free_problems(&reader);
    return config;
}

struct config *config_read(const char *bytes, size_t length, const char *path,
                           config_problem_fn *problem, void *context)
{
    return config_read_with((struct span){bytes, length}, path, NULL, problem, context);
}
