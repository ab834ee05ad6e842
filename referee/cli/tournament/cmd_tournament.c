/* `referee tournament` reads the file, compares it with the store, plays what is missing, and
 * prints the standings. Whatever stops it, the same command resumes it. */

#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options_gearman.h"
#include "cli/tournament/batch.h"
#include "cli/options_sandbox.h"
#include "cli/tournament/dry_run.h"
#include "cli/tournament/preflight.h"
#include "cli/options.h"
#include "cli/tournament/cmd_tournament.h"
#include "tournament/report/summary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUILD_SECONDS 600
#define SILENCE_S 60
#define FLAG(member) OPTION_FLAG(struct tournament, member)

static int check_replayed(void *destination, const char *name, const char *value)
{
    char bot[CONFIG_NAME_MAX + 1];
    long times;

    (void)destination;
    (void)name;
    return tournament_read_replayed(value, bot, &times);
}

static const struct option_row rows[] = {
    {"--dry-run", NULL, "show the schedule, what is played and an estimate; play nothing",
     FLAG(is_dry_run)},
    {"--start", NULL, "with --dry-run: build each bot, start it and wait for its hello",
     FLAG(is_starting)},
    {"--workers", "N", "worker processes (one per core)",
     OPTION_NUMBER(struct tournament, workers, 0, 256)},
    {"--output", "DIR", "play it there, not in the output folder that the file names",
     OPTION_TEXT(struct tournament, output)},
    {"--fresh", NULL, "start over; what was played before is deleted once the new one begins",
     FLAG(is_fresh)},
    {"--salvage", NULL,
     "keep the results before the damage in a damaged store, play the rest again",
     FLAG(is_salvaging)},
    {"--accept-changes", NULL, "resume although bots or clocks have changed",
     FLAG(accepts_changes)},
    {"--replay-bot", "NAME",
     "play its matches again with other deals: it was repaired; may be repeated",
     OPTION_LIST_OF(struct tournament, replayed, TOURNAMENT_REPLAYED_MAX, check_replayed,
                    "the name of a bot, or NAME=TIMES: as many times in all")},
    {"--seed", "TEXT", "the seed of a new tournament, to repeat its deals",
     OPTION_SECRET(struct tournament, seed_text)},
    {"--contain", "LEVEL", OPTIONS_SANDBOX_LEVELS " (as in the file)",
     OPTIONS_SANDBOX(struct tournament, level)},
    {"--luck", "on|off", "measure what the cards give each bot (as in the file)",
     OPTION_SWITCH(struct tournament, luck)},
    {"--each", NULL, "print each match, in the order of the schedule", FLAG(shows_each)},
    {"--quiet", NULL, "no progress on stderr", FLAG(is_quiet)},
    {"--json", NULL, "print the standings as JSON", FLAG(is_json)},
    {"--feed", NULL, "print events for a program, line by line, and nothing else", FLAG(has_feed)},
    {"--steered", NULL, "with --feed: take from stdin which workers may play, like `slots 0 2`",
     FLAG(is_steered)},
    {"--builds", "DIR", "build bots there, shared with other tournaments",
     OPTION_TEXT(struct tournament, builds)},
    {"--build-seconds", "N", "how long a build may run (600)",
     OPTION_NUMBER(struct tournament, build_seconds, 1, 86400)},
    {"--build-memory-mb", "N", "the memory that a build may use (1024)",
     OPTION_NUMBER(struct tournament, build_memory_mb, 16, 65536)},
    {"--most-tables", "N", "matches at once per worker if the file does not say how many (16)",
     OPTION_NUMBER(struct tournament, most_tables, 1, 256)},
    {"--gearman", "HOST[:PORT]", "let workers of this job server play, too; may be repeated",
     OPTIONS_GEARMAN(struct tournament, gearman)},
    {"--silence", "SECONDS", "give up a worker of which nothing is heard for so long (60)",
     OPTION_NUMBER(struct tournament, silence_s, 2, 86400)},
    {"--list-blocks", NULL, "print the numbers of the blocks that are still to be played",
     FLAG(lists_blocks)},
    {"--play-block", "N", "play this block only, for --import; the store stays as it is",
     OPTION_NUMBER(struct tournament, played_block, 1, SCHEDULE_BLOCKS_MAX)},
    {"--into", "DIR", "with --play-block: write block-N.result there",
     OPTION_TEXT(struct tournament, into)},
    {"--import", NULL, "verify the results in the folders after FILE, and add them to the store",
     FLAG(is_importing)},
    {"--key-file", "FILE", "the key that workers have too, or that results are sealed with",
     OPTION_TEXT(struct tournament, key_file)},
    {"--keys", NULL, "explain every key of a tournament file", FLAG(shows_keys)},
    {.name = NULL},
};

static const struct options options = {
    .command = "tournament",
    .usage = "[OPTION...] FILE [FOLDER...]",
    .purpose =
        "Plays the tournament that FILE describes (JSON with comments), or resumes it, and\n"
        "prints the standings. Logs, results and report.html are in its output folder.\n"
        "Ctrl-C lets the running matches end, a second one stops them; both write the standings.\n",
    .examples = "  referee tournament tournaments/demo.json\n"
                "  referee tournament --dry-run --start tournaments/swiss.json\n"
                "  referee tournament --accept-changes my.json     # a bot was added\n"
                "  referee tournament --replay-bot mybot my.json   # it was repaired\n"
                "  referee tournament my.json --list-blocks |\n"
                "      parallel referee tournament my.json --play-block {} --into played\n"
                "  referee tournament my.json --import played\n",
    .rows = rows,
    .takes = "one FILE, and folders with --import",
    .most = 1000,
};

static void say_end(const struct tournament *tournament)
{
    const char *option = tournament->output != NULL ? "--output " : "";
    const char *output = tournament->output != NULL ? tournament->output : "";
    const char *blank = tournament->output != NULL ? " " : "";

    if (tournament->end == COORDINATOR_STOPPED || tournament->end == COORDINATOR_ABORTED)
        message_say("stopped after %lu of %lu matches; to resume: referee tournament %s%s%s%s",
                    progression_decided(tournament->progression),
                    progression_matches(tournament->progression), option, output, blank,
                    tournament->path);
    else if (tournament->end == COORDINATOR_PAUSED)
        message_say("when the cause is fixed, play them: referee tournament %s%s%s%s", option,
                    output, blank, tournament->path);
}

/* Returns 0, or -1 after it has said that a file could not be written. */
static int show(const struct tournament *tournament)
{
    struct summary *summary = summary_new(tournament->progression, tournament->store, false);
    int result;

    if (tournament->is_json)
        report_json(stdout, summary_report(summary));
    else
        report_text(stdout, summary_report(summary), 100);
    (void)fflush(stdout);
    result = summary_write_files(summary);
    if (result != 0)
        message_say("the report could not be written: %s", strerror(errno));
    else if (!tournament->is_json)
        printf("report: %s/report.html\n", store_folder(tournament->store));
    summary_free(summary);
    return result;
}

static int import_and_show(struct tournament *tournament)
{
    int code = batch_import(tournament);

    if (tournament->progression != NULL && code != CLI_USAGE && show(tournament) != 0)
        code = CLI_FAILED;
    return code;
}

static int play_and_show(struct tournament *tournament)
{
    int code = tournament_prepare(tournament);

    if (code == CLI_FINE)
        code = tournament_play(tournament);
    if (code != CLI_FINE)
        return code;
    if (tournament->feed == NULL) {
        /* The tables of a large tournament take some seconds. */
        if (tournament->end == COORDINATOR_ABORTED)
            interrupt_release();
        if (tournament->end != COORDINATOR_FAILED && show(tournament) != 0)
            code = CLI_FAILED;
        say_end(tournament);
    }
    return tournament->end == COORDINATOR_FINISHED ? code : CLI_FAILED;
}

static int look_ahead(struct tournament *tournament)
{
    int code = CLI_USAGE;

    if (tournament_find_bots(tournament) == 0)
        code = dry_run(tournament->config);
    if (code == CLI_FINE && tournament->is_starting)
        code = preflight(tournament);
    return code;
}

static int run(struct tournament *tournament)
{
    int code;

    tournament->config = config_load(tournament->path, tournament_on_problem, tournament);
    if (tournament->config == NULL)
        return CLI_USAGE;
    if (tournament->output != NULL) {
        free(tournament->config->output);
        tournament->config->output = xstrdup(tournament->output);
    }
    if (tournament->luck != OPTION_NOT_GIVEN)
        tournament->config->measures_luck = tournament->luck == OPTION_ON;
    if (tournament->is_dry_run)
        code = look_ahead(tournament);
    else if (tournament->lists_blocks)
        code = batch_list(tournament);
    else if (tournament->played_block > 0)
        code = batch_play(tournament);
    else
        code = tournament->is_importing ? import_and_show(tournament) : play_and_show(tournament);
    progression_free(tournament->progression);
    bot_setup_list_free(tournament->bot_setups);
    sandbox_free(tournament->sandbox);
    free(tournament->by_number);
    tournament_close_store(tournament);
    config_free(tournament->config);
    return code;
}

/* The program that reads the feed is gone, and may be about to start the same tournament again. */
static void on_feed_closed(void *context)
{
    struct tournament *tournament = context;

    tournament->is_feed_closed = true;
    if (tournament->runner != NULL)
        runner_abort(tournament->runner);
}

/* Whatever happens, the feed has an end. */
static int run_with_feed(struct tournament *tournament)
{
    int code;

    tournament->feed = feed_new(on_feed_closed, tournament);
    code = run(tournament);
    (void)feed_end(tournament->feed, COORDINATOR_FAILED);
    feed_free(tournament->feed);
    return code;
}

static int print_keys(void)
{
    char keys[CONFIG_KEYS_MAX];
    struct text text;

    text_start(&text, keys, sizeof keys);
    config_write_keys(&text);
    fputs(keys, stdout);
    return CLI_FINE;
}

/* Returns 0, or -1 after it has said what does not go together. */
static int check_options(const struct tournament *tournament)
{
    if (tournament->is_fresh && tournament->is_salvaging)
        message_say("--salvage keeps results and --fresh deletes them: use one of them");
    else if (tournament->replayed[0] != NULL && (tournament->is_fresh || tournament->is_dry_run))
        message_say("--replay-bot plays matches of this tournament again: it cannot be combined "
                    "with --fresh or --dry-run");
    else if (tournament->is_starting && !tournament->is_dry_run)
        message_say("--start goes with --dry-run: without it, the tournament starts the bots");
    else if (tournament->lists_blocks + (tournament->played_block > 0) + tournament->is_importing +
                 (tournament->is_dry_run || tournament->has_feed) >
             1)
        message_say("--list-blocks, --play-block and --import cannot be combined with each other, "
                    "with --dry-run or with --feed");
    else if ((tournament->played_block > 0) != (tournament->into != NULL))
        message_say("--play-block N and --into DIR go together");
    else if (tournament->played_block > 0 && (tournament->is_fresh || tournament->is_salvaging))
        message_say("--play-block leaves the store as it is: --fresh and --salvage go with "
                    "--list-blocks");
    else if (tournament->is_importing != (tournament->imported[0] != NULL))
        message_say(tournament->is_importing
                        ? "--import takes the folders that --play-block has filled"
                        : "tournament takes one FILE; see `referee tournament --help`");
    else if (tournament->gearman[0] != NULL &&
             (tournament->lists_blocks || tournament->played_block > 0 || tournament->is_importing))
        message_say("--gearman plays a tournament: it cannot be combined with --list-blocks, "
                    "--play-block or --import");
    else if (tournament->gearman[0] != NULL && tournament->key_file == NULL)
        message_say("--gearman needs --key-file: a job server has no users, so only what is sealed "
                    "with your key counts");
    else if (tournament->is_steered && !tournament->has_feed)
        message_say("--steered needs --feed");
    else if (tournament->has_feed &&
             (tournament->is_dry_run || tournament->shows_each || tournament->is_json))
        message_say("--feed cannot be combined with --dry-run, --each or --json");
    else
        return 0;
    return -1;
}

static int run_checked(struct tournament *tournament)
{
    if (check_options(tournament) != 0)
        return CLI_USAGE;
    if (deal_random_init() != 0) {
        message_say("the system has no randomness to deal with");
        return CLI_FAILED;
    }
    return tournament->has_feed ? run_with_feed(tournament) : run(tournament);
}

int cli_tournament(int argc, char **argv)
{
    struct tournament tournament = {.workers = -1,
                                    .silence_s = SILENCE_S,
                                    .build_seconds = BUILD_SECONDS,
                                    .level = SANDBOX_LEVEL_COUNT};
    int code;
    int count = options_read(&options, argc, argv, &tournament, &code);

    if (count < 0) {
        free(tournament.seed_text);
        return code;
    }
    tournament.path = argv[1];
    tournament.imported = count > 0 ? argv + 2 : argv + 1;
    if (tournament.shows_keys) {
        code = print_keys();
    } else if (count == 0) {
        message_say("tournament takes one FILE; see `referee tournament --help`");
        code = CLI_USAGE;
    } else {
        code = run_checked(&tournament);
    }
    free(tournament.seed_text);
    return code;
}
