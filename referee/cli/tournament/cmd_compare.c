/* `referee compare` plays two bots against each other until it knows which is better. */

#include "base/deal_random.h"
#include "base/directory.h"
#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options_sandbox.h"
#include "cli/options_match.h"
#include "cli/tournament/compare_print.h"
#include "cli/tournament/runner.h"
#include "game/rules.h"
#include "sandbox/scratch_dir.h"
#include "tournament/play/comparison.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOTS_MAX (2 + COMPARISON_FIELD_MAX)

struct compare {
    struct options_match match;
    struct comparison_setup setup;
    const char *bots[BOTS_MAX]; /* NEW, OLD, then the field */
    unsigned bot_count;
    const char *field[COMPARISON_FIELD_MAX + 1]; /* the values of --field; NULL ends them */
    long workers;
    bool keeps_bots;
    bool is_salvaging;
    bool may_ponder;
    const char *store_path;
    char *seed_text;
    enum sandbox_level level;
    struct sandbox *sandbox;
    bool is_quiet;
    bool is_json;
    enum option_switch luck;

    char *root; /* a temporary folder, if no store is named; or NULL */
    int root_fd;
    char *folder; /* of the store */
    struct store *store;
    struct bot_setup bot_setups[BOTS_MAX];
    char names[BOTS_MAX][BOT_COMMAND_SEAT_NAME_BYTES];
    struct comparison *comparison;
    struct runner *runner;
};

static const struct option_row rows[] = {
    {OPTIONS_MATCH(struct compare, match)},
    {"--field", "BOT", "play among these, once per bot (up to 5)",
     OPTION_LIST(struct compare, field, COMPARISON_FIELD_MAX)},
    {"--margin", "POINTS", "the smallest difference per round that matters (0.5)",
     OPTION_DECIMAL(struct compare, setup.test.margin)},
    {"--alpha", "RATE", "how often a verdict may be wrong (0.05)",
     OPTION_DECIMAL(struct compare, setup.test.alpha)},
    {"--least", "N", "play at least so many blocks, for a narrower interval (2)",
     OPTION_NUMBER(struct compare, setup.test.least, 2, COMPARISON_BLOCKS_MAX)},
    {"--most", "N", "end without a verdict after so many blocks (10000)",
     OPTION_NUMBER(struct compare, setup.test.most, 2, COMPARISON_BLOCKS_MAX)},
    {"--luck", "on|off", "whether scores are adjusted for luck (on)",
     OPTION_SWITCH(struct compare, luck)},
    {"--workers", "N", "worker processes (one per core)",
     OPTION_NUMBER(struct compare, workers, 0, 256)},
    {"--reuse", NULL, "keep bots between matches, if they offer it",
     OPTION_FLAG(struct compare, keeps_bots)},
    {"--ponder", NULL, "let bots think while they are not asked",
     OPTION_FLAG(struct compare, may_ponder)},
    {"--store", "DIR", "keep logs and results there, or resume what is there",
     OPTION_TEXT(struct compare, store_path)},
    {"--seed", "TEXT", "a seed, to repeat the deals", OPTION_SECRET(struct compare, seed_text)},
    {"--contain", "LEVEL", OPTIONS_SANDBOX_LEVELS " (none)",
     OPTIONS_SANDBOX(struct compare, level)},
    {"--salvage", NULL, "keep the results before the damage in a damaged store",
     OPTION_FLAG(struct compare, is_salvaging)},
    {"--quiet", NULL, "no progress on stderr", OPTION_FLAG(struct compare, is_quiet)},
    {"--json", NULL, "print the verdict as JSON", OPTION_FLAG(struct compare, is_json)},
    {.name = NULL},
};

static const struct options options = {
    .command = "compare",
    .usage = "[OPTION...] NEW OLD [--field BOT...]",
    .purpose =
        "Is NEW better than OLD? Plays both on the same deals, looks after each block (all\n"
        "matches of a deal), and stops as soon as it knows: better, worse, or equal, which means\n"
        "no difference larger than the margin. Fewer points are better; what the cards gave is\n"
        "taken out of them, which leaves the mean as it is and needs fewer matches (--luck off:\n"
        "points as they fell). The interval that it shows is valid at every look, so stop it\n"
        "whenever you have seen enough. Without a field they play each other at two seats; with\n"
        "a field each deal is played by NEW and the field, and again by OLD and the field, from\n"
        "every seat.\n"
        "Ctrl-C, SIGTERM or SIGHUP lets the running matches end and prints what is known by then;\n"
        "a second one stops them.\n",
    .examples = "  referee compare ./new ./old\n"
                "  referee compare ./new ./old --field build/bots/greedy build/bots/greedy\n"
                "  referee compare --margin 0.2 --most 100000 --store nightly ./new ./old\n",
    .rows = rows,
    .takes = "NEW and OLD, and at most 5 bots after --field",
    .least = 2,
    .most = BOTS_MAX,
};

/* Arguments after OLD belong to the field, as do the values of --field. */
static int sort_bots(struct compare *compare, char **arguments, unsigned count)
{
    if (count > 2 && compare->field[0] == NULL) {
        message_say("a third bot must come after --field");
        return -1;
    }
    for (unsigned i = 0; i < 2; i++)
        compare->bots[compare->bot_count++] = arguments[i];
    for (unsigned i = 0; compare->field[i] != NULL; i++)
        compare->bots[compare->bot_count++] = compare->field[i];
    for (unsigned i = 2; i < count; i++) {
        if (compare->bot_count == BOTS_MAX) {
            message_say("a field has at most %d bots", COMPARISON_FIELD_MAX);
            return -1;
        }
        compare->bots[compare->bot_count++] = arguments[i];
    }
    return 0;
}

static int check(const struct compare *compare)
{
    const char *problem = difference_test_problem(&compare->setup.test);
    unsigned seats = compare->bot_count > 2 ? compare->bot_count - 1 : 2;
    char message[300] = "";
    struct text text;

    text_start(&text, message, sizeof message);
    if (problem == NULL && rules_check(&compare->match.game.rules, seats, &text) != 0)
        problem = message;
    if (problem != NULL)
        message_say("%s", problem);
    return problem == NULL ? 0 : -1;
}

/* The bots and the store. */

/* Whether the level is available and all bots can be run at it. */
static int check_sandbox(struct compare *compare)
{
    int result = 0;

    compare->sandbox = options_sandbox_open(compare->level);
    if (compare->sandbox == NULL)
        return -1;
    for (unsigned i = 0; i < compare->bot_count; i++) {
        if (options_sandbox_admit(compare->sandbox, &compare->bot_setups[i].command, NULL, false) !=
            0)
            result = -1;
    }
    return result;
}

static int read_bots(struct compare *compare)
{
    char message[600];
    struct text problem;

    for (unsigned i = 0; i < compare->bot_count; i++) {
        static const char *const roles[] = {"new",     "old",     "field-1", "field-2",
                                            "field-3", "field-4", "field-5"};
        struct bot_setup *bot_setup = &compare->bot_setups[i];

        text_start(&problem, message, sizeof message);
        if (bot_command_read(&bot_setup->command, compare->bots[i], &problem) != 0) {
            message_say("%s%s", i > 1 ? "--field: " : "", message);
            return -1;
        }
        snprintf(compare->names[i], sizeof compare->names[i], "%s", roles[i]);
        bot_setup->name = compare->names[i];
    }
    return 0;
}

/* If we are killed, the next referee removes it. */
static char *make_folder(struct compare *compare)
{
    compare->root = scratch_dir_make_root(scratch_dir_place(true), &compare->root_fd);
    return compare->root != NULL ? directory_join(compare->root, "compare") : NULL;
}

static void remove_folder(struct compare *compare)
{
    if (compare->root == NULL)
        return;
    (void)scratch_dir_remove(compare->root);
    close(compare->root_fd);
    free(compare->root);
}

/* What must be the same when a store is resumed: the rules, whether luck counts, and the
 * programs. */
static void write_setup(const struct compare *compare, char setup[2000])
{
    struct text text;

    text_start(&text, setup, 2000);
    text_add(&text, allegra_edition_name((enum allegra_edition)compare->match.game.rules.edition));
    for (size_t i = 0; i < rules_key_count(); i++) {
        text_add_char(&text, ' ');
        rules_write_value(&text, &compare->match.game.rules, rules_key_at(i));
    }
    text_add(&text, compare->luck == OPTION_OFF ? " raw" : " adjusted");
    for (unsigned i = 0; i < compare->bot_count; i++)
        text_printf(&text, " %s", compare->bot_setups[i].command.hash);
}

static int begin_store(struct compare *compare, const char *setup)
{
    struct store_setting settings[] = {{"format", "compare"}, {"setup", setup}, {NULL, NULL}};
    int result = store_begin(compare->store, "compare", settings, compare->seed_text);

    for (unsigned i = 0; i < compare->bot_count && result == 0; i++) {
        struct store_bot bot = {.name = compare->names[i],
                                .command = compare->bot_setups[i].command.text,
                                .generation = 1};

        memcpy(bot.hash, compare->bot_setups[i].command.hash, sizeof bot.hash);
        store_add_bot(compare->store, &bot);
    }
    return result == 0 ? store_write(compare->store) : -1;
}

static int check_results(const struct compare *compare)
{
    char message[600];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (comparison_check(compare->store, compare->bot_count, &problem) == 0)
        return 0;
    message_say("%s", message);
    return -1;
}

static int open_store(struct compare *compare)
{
    char setup[2000];

    compare->folder =
        compare->store_path != NULL ? xstrdup(compare->store_path) : make_folder(compare);
    if (compare->folder == NULL) {
        message_say("cannot make a folder for the matches: %s", strerror(errno));
        return -1;
    }
    compare->store = runner_open_store(compare->folder, compare->is_salvaging);
    if (compare->store == NULL)
        return -1;
    write_setup(compare, setup);
    if (store_is_new(compare->store)) {
        if (begin_store(compare, setup) == 0)
            return 0;
        message_say("%s: %s", compare->folder, strerror(errno));
        return -1;
    }
    if (store_setting(compare->store, "setup") != NULL &&
        strcmp(store_setting(compare->store, "setup"), setup) == 0)
        return check_results(compare) == 0 ? runner_repair_store(compare->store) : -1;
    message_say("%s has matches of other bots, other rules or another --luck; name another folder",
                compare->folder);
    return -1;
}

/* Playing. */

static void summarize(void *context, struct text *line)
{
    const struct compare *compare = context;

    compare_print_progress(compare->comparison, line);
}

static void on_counted(void *context)
{
    struct compare *compare = context;

    /* The verdict no longer depends on the matches that are running. */
    if (compare->runner != NULL && comparison_is_over(compare->comparison))
        runner_abort(compare->runner);
}

static int play(struct compare *compare)
{
    struct runner_setup setup = {
        .tasks = {.rules = compare->match.game.rules,
                  .variant = compare->match.game.variant,
                  .clock = compare->match.clock,
                  .may_ponder = compare->may_ponder,
                  .measures_luck = compare->luck != OPTION_OFF,
                  .start_ms = compare->match.start_ms,
                  .move_ms = compare->match.move_ms,
                  .bank_ms = compare->match.bank_ms,
                  .sandbox = compare->level,
                  .admitted = compare->sandbox,
                  .keeps_bots = compare->keeps_bots,
                  .bot_setups = compare->bot_setups,
                  .store = compare->store},
        .workers = (unsigned)compare->workers,
        .store = compare->store,
        .source = comparison_source(compare->comparison),
        .view = {.summarize = summarize, .context = compare},
        .is_quiet = compare->is_quiet,
    };

    compare->runner = runner_new(&setup);
    if (compare->runner == NULL)
        return -1;
    (void)runner_play(compare->runner);
    runner_free(compare->runner);
    return 0;
}

/* Prints the verdict. Returns an enum cli_exit. */
static int print_verdict(const struct compare *compare)
{
    if (compare->is_json)
        compare_print_json(compare->comparison, &compare->setup.test);
    else
        compare_print(compare->comparison, &compare->setup.test);
    if (!compare->is_json && compare->store_path != NULL)
        printf("logs: %s/logs\n", compare->folder);
    if (!comparison_is_over(compare->comparison) && compare->store_path != NULL)
        message_say("stopped; the same command resumes it from %s", compare->folder);
    else if (!comparison_is_over(compare->comparison))
        message_say("stopped; a comparison with --store DIR can be resumed");
    for (unsigned bot = 0; bot <= COMPARISON_FIELD; bot++) {
        if (comparison_faults(compare->comparison, bot) > 0)
            return CLI_BOT_FAULT;
    }
    return comparison_is_decided(compare->comparison) ? CLI_FINE : CLI_FAILED;
}

static int run(struct compare *compare)
{
    int code = CLI_FAILED;

    if (open_store(compare) == 0) {
        compare->comparison = comparison_new(compare->store, &compare->setup, on_counted, compare);
        if (comparison_is_over(compare->comparison) || play(compare) == 0)
            code = print_verdict(compare);
    }
    comparison_free(compare->comparison);
    store_free(compare->store);
    remove_folder(compare);
    free(compare->folder);
    return code;
}

int cli_compare(int argc, char **argv)
{
    struct compare compare = {.match = options_match_default(),
                              .setup.test = difference_test_default()};
    int code;
    int count = options_read(&options, argc, argv, &compare, &code);

    if (count < 0)
        return code;
    code = CLI_USAGE;
    compare.setup.decider = compare.luck == OPTION_OFF ? COMPARISON_RAW : COMPARISON_ADJUSTED;
    if (sort_bots(&compare, argv + 1, (unsigned)count) == 0 && check(&compare) == 0 &&
        deal_random_init() == 0 && read_bots(&compare) == 0) {
        interrupt_catch();
        if (check_sandbox(&compare) == 0)
            code = run(&compare);
    }
    sandbox_free(compare.sandbox);
    for (unsigned i = 0; i < BOTS_MAX; i++)
        bot_command_free(&compare.bot_setups[i].command);
    free(compare.seed_text);
    return code;
}
