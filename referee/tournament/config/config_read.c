/* Reads a tournament file: one table of its keys, and the way from bytes to a plan. The same table
 * is the help. */

#include "base/memory.h"
#include "tournament/plan_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_MAX 100
#define DAY_MS 86400000

static plan_key_fn read_title, read_hero, read_contain;

/* clang-format off */
#define RANGE(from, to, without) .least = (from), .most = (to), .standard = (without)
#define MEMBER(member) PLAN_MEMBER(plan, member)
#define WORDS(...) .words = {__VA_ARGS__}

const struct plan_key plan_keys[PLAN_KEY_COUNT] = {
    [PLAN_NAME] = {"name", "what the tournament is called", read_title,
        .takes = "a text of 1 to 100 bytes, no control characters",
        .otherwise = "the name of the file without its ending"},
    [PLAN_OUTPUT] = {"output", "the folder for results, logs and the report", plan_read_path,
        .takes = "a path", .otherwise = "the path of the file without \".json\"",
        .offset = offsetof(struct plan, output)},
    [PLAN_BOTS] = {"bots", "who plays: maps with the keys below, or commands alone", plan_read_bots,
        .takes = "a list of 2 to 1000 bots", .is_required = true},
    [PLAN_EDITION] = {"edition", "whose rules are played; `referee rules` shows them", plan_read_edition,
        .takes = "the name of an edition as a text", .otherwise = "\"de2026\""},
    [PLAN_RULES] = {"rules", "rule keys that differ from the edition", plan_read_rules,
        .takes = "a map of rule keys, {\"rounds\": 3}", .otherwise = "none"},
    [PLAN_SEATS] = {"seats", "how many sit at a table", plan_read_number, MEMBER(schedule.seats),
        RANGE(RULES_SEATS_MIN, RULES_SEATS_MAX, 0), .otherwise = "4, or all bots if they are fewer"},
    [PLAN_FORMAT] = {"format", "who meets whom: all groups, those with the hero, or those who did alike",
        plan_read_word, MEMBER(schedule.format),
        WORDS([SCHEDULE_ROUND_ROBIN] = "round-robin", [SCHEDULE_GAUNTLET] = "gauntlet",
              [SCHEDULE_SWISS] = "swiss")},
    [PLAN_HERO] = {"hero", "gauntlet: the bot that sits at every table", read_hero,
        .takes = "the name of one of the bots", .otherwise = "the first bot"},
    [PLAN_DEALS] = {"deals", "deals for each group of bots (swiss: for each table of a round)",
        plan_read_number, MEMBER(schedule.deals), RANGE(1, 100000, 10)},
    [PLAN_MATCHES] = {"matches", "no more than that, in a balanced choice of groups; 0: all (not swiss)",
        plan_read_number, MEMBER(schedule.matches), RANGE(0, 10000000, 0)},
    [PLAN_ROUNDS] = {"rounds", "swiss: how many rounds of tables", plan_read_number,
        MEMBER(schedule.rounds), RANGE(1, 100, 0),
        .otherwise = "n for up to 2^n bots, at least 3"},
    [PLAN_SEATINGS] = {"seatings", "a deal is played in every order of the bots, rotated around the table, or once",
        plan_read_word, MEMBER(schedule.seatings),
        .otherwise = "\"all\" up to 4 seats, else \"rotations\"",
        WORDS([SCHEDULE_ALL] = "all", [SCHEDULE_ROTATIONS] = "rotations",
              [SCHEDULE_SINGLE] = "single")},
    [PLAN_SCHEDULE_SEED] = {"schedule_seed", "draws the schedule, never the cards", plan_read_number,
        MEMBER(schedule.seed), RANGE(0, 1L << 53, 1)},
    [PLAN_CLOCK] = {"clock", "fair: what the machine withheld is not charged; wall: all time is",
        plan_read_word, MEMBER(clock), WORDS([CLOCK_FAIR] = "fair", [CLOCK_WALL] = "wall")},
    [PLAN_START_MS] = {"start_ms", "time to say hello", plan_read_number, MEMBER(start_ms),
        RANGE(1, DAY_MS, 10000)},
    [PLAN_MOVE_MS] = {"move_ms", "time for each answer", plan_read_number, MEMBER(move_ms),
        RANGE(1, DAY_MS, 1000)},
    [PLAN_BANK_MS] = {"bank_ms", "extra time for the whole match", plan_read_number, MEMBER(bank_ms),
        RANGE(0, DAY_MS, 0)},
    [PLAN_CONTAIN] = {"contain", "how bots are kept from harm: auto takes the best that is there",
        read_contain, WORDS("auto", "sealed", "guarded", "none")},
    [PLAN_JOBS] = {"jobs", "worker processes; 0: one for each core", plan_read_number, MEMBER(jobs),
        RANGE(0, 256, 0)},
    [PLAN_TABLES] = {"tables", "matches at once in each worker; 0: as its bots need it", plan_read_number,
        MEMBER(tables), RANGE(0, 256, 0)},
    [PLAN_REUSE] = {"reuse", "whether bots that offer it stay for the next match", plan_read_flag,
        .takes = "true or false", .otherwise = "false", MEMBER(keeps_bots)},
    [PLAN_MAX_FAULTS] = {"max_faults", "withdraws a bot that was at fault in so many matches; 0: never",
        plan_read_number, MEMBER(max_faults), RANGE(0, 10000000, 0)},
};
/* clang-format on */

static bool read_title(struct plan_reader *reader, const struct plan_map *map,
                       const struct plan_key *key, const struct json_node *node)
{
    bool is_fine = plan_is_words(node) && node->length <= TITLE_MAX;

    for (size_t i = 0; is_fine && i < node->length; i++)
        is_fine = (unsigned char)node->text[i] >= ' ' && node->text[i] != '\x7f';
    if (!is_fine)
        return plan_refuse(reader, map, key, node);
    reader->plan->name = xstrdup(node->text);
    return true;
}

/* Which bot that is, plan_check() finds out. */
static bool read_hero(struct plan_reader *reader, const struct plan_map *map,
                      const struct plan_key *key, const struct json_node *node)
{
    return plan_is_words(node) || plan_refuse(reader, map, key, node);
}

static bool read_contain(struct plan_reader *reader, const struct plan_map *map,
                         const struct plan_key *key, const struct json_node *node)
{
    if (!plan_read_word(reader, map, key, node))
        return false;
    reader->plan->contain = xstrdup(node->text);
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

char *plan_path(const struct plan *plan, const char *path)
{
    size_t size = strlen(plan->folder) + strlen(path) + 2;
    char *joined;

    if (path[0] == '/' || strcmp(plan->folder, ".") == 0)
        return xstrdup(path);
    joined = xcalloc(size, 1);
    snprintf(joined, size, "%s%s%s", plan->folder, strcmp(plan->folder, "/") == 0 ? "" : "/", path);
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

static void set_defaults(struct plan *plan, const char *path)
{
    if (plan->name == NULL)
        plan->name = default_name(path);
    if (plan->output == NULL)
        plan->output = default_output(path);
    if (plan->contain == NULL)
        plan->contain = xstrdup(plan_keys[PLAN_CONTAIN].words[0]);
}

/* The whole file. */

static void read_root(struct plan_reader *reader, const struct json_node *root)
{
    struct plan_map map = {.keys = plan_keys, .count = PLAN_KEY_COUNT, .object = reader->plan};
    char sentence[PLAN_SENTENCE_MAX];
    struct text text;

    if (root->kind == JSON_MAP) {
        plan_map_start(&map);
        plan_map_read(reader, &map, root);
        plan_check(reader, &map, root);
        return;
    }
    text_start(&text, sentence, sizeof sentence);
    text_add(&text, "the file takes a map, {\"bots\": [...]}, not ");
    plan_add_value(&text, root);
    plan_add_problem(reader, root->at, sentence);
}

static void read_file(struct plan_reader *reader)
{
    struct json_document *document = json_document_new();
    const struct json_node *root = NULL;
    char sentence[PLAN_SENTENCE_MAX];
    struct text text;
    size_t at = 0;

    text_start(&text, sentence, sizeof sentence);
    if (reader->source.length > PLAN_FILE_MAX)
        snprintf(sentence, sizeof sentence, "the file is larger than %d bytes", PLAN_FILE_MAX);
    else
        root = json_read_commented(document, reader->source, &at, &text);
    if (root != NULL)
        read_root(reader, root);
    else
        plan_add_problem(reader, at, sentence);
    json_document_free(document);
}

struct plan *plan_read_with(struct span file, const char *path,
                            const struct plan_catalogue *catalogue, plan_problem_fn *problem,
                            void *context)
{
    struct plan *plan = xcalloc(1, sizeof *plan);
    struct plan_reader reader = {.plan = plan,
                                 .source = {file.length > 0 ? file.start : "", file.length},
                                 .catalogue = catalogue};

    plan->folder = folder_of(path);
    plan->rules = rules_of_edition(EDITION_DE2026);
    read_file(&reader);
    set_defaults(plan, path);
    if (reader.problem_count > 0) {
        plan_tell_problems(&reader, problem, context);
        plan_free(plan);
        plan = NULL;
    }
    plan_free_problems(&reader);
    return plan;
}

struct plan *plan_read(const char *bytes, size_t length, const char *path, plan_problem_fn *problem,
                       void *context)
{
    return plan_read_with((struct span){bytes, length}, path, NULL, problem, context);
}
