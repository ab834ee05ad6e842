/* Reads a tournament file: the table of its keys, which is also the help, and the way from bytes to
 * a config. */

#include "base/memory.h"
#include "tournament/config/config_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_MAX 100
#define DAY_MS 86400000

static config_key_fn read_title, read_hero, read_sandbox;

#define RANGE(from, to, without) .least = (from), .most = (to), .default_value = (without)
#define MEMBER(member) CONFIG_MEMBER(config, member)
#define CHOICES(...) .choices = {__VA_ARGS__}

const struct config_key config_keys[CONFIG_KEY_COUNT] = {
    [CONFIG_NAME] = {"name", "the name of the tournament", read_title,
                     .takes = "a text of 1 to 100 bytes, no control characters",
                     .default_text = "the name of the file without its extension"},
    [CONFIG_OUTPUT] = {"output", "the folder for results, logs and the report", config_read_path,
                       .takes = "a path", .default_text = "the path of the file without \".json\"",
                       .offset = offsetof(struct config, output)},
    [CONFIG_BOTS] = {"bots", "the bots that play: maps with the keys below, or commands alone",
                     config_read_bots, .takes = "a list of 2 to 1000 bots", .is_required = true},
    [CONFIG_EDITION] = {"edition", "which rules are played; `referee rules` shows them",
                        config_read_edition,
                        .takes = "the name of an edition or variant, or the file of a variant",
                        .default_text = "\"de2026\""},
    [CONFIG_RULES] = CONFIG_RULES_KEY,
    [CONFIG_VARIANT] = {"variant", "a name for these rules, in logs and tables and for the bots",
                        config_read_variant, .takes = RULES_VARIANT_NAME_TAKES,
                        .default_text =
                            "that of the edition's variant, if `rules` changes nothing"},
    [CONFIG_SEATS] = {"seats", "how many bots sit at a table", config_read_number,
                      MEMBER(schedule.seats), RANGE(ALLEGRA_SEATS_MIN, ALLEGRA_SEATS_MAX, 0),
                      .default_text = "4, or all bots if they are fewer"},
    [CONFIG_FORMAT] =
        {"format", "which bots meet: all groups, those with the hero, or bots with similar results",
         config_read_choice, MEMBER(schedule.format),
         CHOICES([SCHEDULE_ROUND_ROBIN] = "round-robin", [SCHEDULE_GAUNTLET] = "gauntlet",
                 [SCHEDULE_SWISS] = "swiss")},
    [CONFIG_HERO] = {"hero", "gauntlet: the bot that sits at every table", read_hero,
                     .takes = "the name of one of the bots", .default_text = "the first bot"},
    [CONFIG_DEALS] = {"deals", "deals per group of bots (swiss: per table and round)",
                      config_read_number, MEMBER(schedule.deals), RANGE(1, 100000, 0),
                      .default_text = "100 if each is played once, else 10"},
    [CONFIG_MATCHES] = {"matches",
                        "at most so many, in a balanced choice of groups; 0: all (not swiss)",
                        config_read_number, MEMBER(schedule.matches), RANGE(0, 10000000, 0)},
    [CONFIG_ROUNDS] = {"rounds", "swiss: how many rounds", config_read_number,
                       MEMBER(schedule.rounds), RANGE(1, 100, 0),
                       .default_text = "n for up to 2^n bots, at least 3"},
    [CONFIG_SEATINGS] =
        {"seatings",
         "each deal is played once, rotated around the table, or in every order of the bots",
         config_read_choice, MEMBER(schedule.seatings),
         CHOICES([SCHEDULE_SINGLE] = "single", [SCHEDULE_ROTATIONS] = "rotations",
                 [SCHEDULE_ALL] = "all")},
    [CONFIG_SCHEDULE_SEED] = {"schedule_seed", "draws the schedule, never the cards",
                              config_read_number, MEMBER(schedule.seed), RANGE(0, 1L << 53, 1)},
    [CONFIG_CLOCK] = {"clock",
                      "fair: time that the machine withheld is not charged; wall: all time is",
                      config_read_choice, MEMBER(clock),
                      CHOICES([CLOCK_FAIR] = "fair", [CLOCK_WALL] = "wall")},
    [CONFIG_PONDER] = {"ponder",
                       "whether bots may think while they are not asked; else they are frozen",
                       config_read_flag, .takes = "true or false", .default_text = "false",
                       MEMBER(may_ponder)},
    [CONFIG_CLOCK_SCALE] = {"clock_scale",
                            "whether workers of other machines scale times by their speed",
                            config_read_flag, .takes = "true or false", .default_text = "false",
                            MEMBER(scales_clock)},
    [CONFIG_START_MS] = {"start_ms", "time to say hello", config_read_number, MEMBER(start_ms),
                         RANGE(1, DAY_MS, 10000)},
    [CONFIG_MOVE_MS] = {"move_ms", "time for each answer", config_read_number, MEMBER(move_ms),
                        RANGE(1, DAY_MS, 1000)},
    [CONFIG_BANK_MS] = {"bank_ms", "extra time for the whole match", config_read_number,
                        MEMBER(bank_ms), RANGE(0, DAY_MS, 0)},
    [CONFIG_CONTAIN] = {"contain",
                        "the sandbox level for bots; auto takes the best that is available",
                        read_sandbox, CHOICES("auto", "sealed", "guarded", "none")},
    [CONFIG_WORKERS] = {"workers", "worker processes; 0: one per core", config_read_number,
                        MEMBER(workers), RANGE(0, 256, 0)},
    [CONFIG_TABLES] = {"tables", "matches at once in each worker; 0: as many as keep the core busy",
                       config_read_number, MEMBER(tables), RANGE(0, 256, 0)},
    [CONFIG_REUSE] = {"reuse", "whether bots that offer it stay for the next match",
                      config_read_flag, .takes = "true or false", .default_text = "false",
                      MEMBER(keeps_bots)},
    [CONFIG_LUCK] = {"luck",
                     "whether what the cards gave each bot is measured and taken out of scores",
                     config_read_flag, .takes = "true or false", .default_text = "true",
                     MEMBER(measures_luck), .default_value = true},
    [CONFIG_MAX_FAULTS] = {"max_faults",
                           "withdraws a bot after faults in so many matches; 0: never",
                           config_read_number, MEMBER(max_faults), RANGE(0, 10000000, 0)},
};

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

/* config_check() finds out which bot that is. */
static bool read_hero(struct config_reader *reader, const struct config_map *map,
                      const struct config_key *key, const struct json_node *node)
{
    return config_is_text(node) || config_refuse(reader, map, key, node);
}

static bool read_sandbox(struct config_reader *reader, const struct config_map *map,
                         const struct config_key *key, const struct json_node *node)
{
    if (!config_read_choice(reader, map, key, node))
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

char *config_folder_of(const char *path)
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

/* Without the extension the folder would have the name of the file. */
static char *default_output(const char *path)
{
    static const char ending[] = ".json";
    static const char suffix[] = "-store";
    size_t length = strlen(path);
    char *output;

    if (length >= sizeof ending && strcmp(path + length - strlen(ending), ending) == 0 &&
        path[length - sizeof ending] != '/')
        return xstrndup(path, length - strlen(ending));
    output = xcalloc(length + sizeof suffix, 1);
    snprintf(output, length + sizeof suffix, "%s%s", path, suffix);
    return output;
}

/* The whole file. */

void config_read_document(struct config_reader *reader, struct config_map *map, const char *example,
                          config_check_fn *check)
{
    struct json_document *document = json_document_new();
    const struct json_node *root = NULL;
    char sentence[CONFIG_SENTENCE_MAX];
    struct text text;
    size_t at = 0;

    text_start(&text, sentence, sizeof sentence);
    if (reader->source.length > CONFIG_FILE_MAX)
        text_printf(&text, "the file is larger than %d bytes", CONFIG_FILE_MAX);
    else
        root = json_read_commented(document, reader->source, &at, &text);
    if (root == NULL) {
        config_add_problem(reader, at, "%s", sentence);
    } else if (root->kind == JSON_MAP) {
        config_map_start(map);
        config_map_read(reader, map, root);
        check(reader, map, root);
    } else {
        config_write_value(&text, root);
        config_add_problem(reader, root->at, "the file takes a map, %s, not %s", example, sentence);
    }
    json_document_free(document);
}

struct config *config_read_file(struct config_reader *reader, const char *path,
                                config_problem_fn *problem, void *context)
{
    struct config *config = xcalloc(1, sizeof *config);
    struct config_map map = {.keys = config_keys, .count = CONFIG_KEY_COUNT, .object = config};

    reader->config = config;
    reader->rules = &config->rules;
    reader->variant = config->variant;
    config->folder = config_folder_of(path);
    config->rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    config_read_document(reader, &map, "{\"bots\": [...]}", config_check);
    if (reader->problem_count > 0) {
        config_report_problems(reader, problem, context);
        config_free(config);
        return NULL;
    }
    if (config->name == NULL)
        config->name = default_name(path);
    if (config->output == NULL)
        config->output = default_output(path);
    if (config->sandbox == NULL)
        config->sandbox = xstrdup(config_keys[CONFIG_CONTAIN].choices[0]);
    return config;
}

struct config *config_read_with(struct span file, const char *path,
                                const struct config_catalogue *catalogue,
                                config_problem_fn *problem, void *context)
{
    struct config_reader reader = {.source = {file.length > 0 ? file.start : "", file.length},
                                   .catalogue = catalogue};

    return config_read_file(&reader, path, problem, context);
}

struct config *config_read(const char *bytes, size_t length, const char *path,
                           config_problem_fn *problem, void *context)
{
    return config_read_with((struct span){bytes, length}, path, NULL, problem, context);
}
