/* `referee tournament` reads the file, brings file and store together, lets the coordinator play, and shows
 * what came of it. Whatever stops it, the same command goes on where it was. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/options_sandbox.h"
#include "cli/tournament/dry_run.h"
#include "cli/options.h"
#include "cli/tournament/cmd_tournament.h"
#include "tournament/report/summary.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_DRY_RUN,
    OPTION_JOBS,
    OPTION_FRESH,
    OPTION_ACCEPT,
    OPTION_SEED,
    OPTION_CONTAIN,
    OPTION_EACH,
    OPTION_QUIET,
    OPTION_JSON,
    OPTION_FEED,
    OPTION_KEYS,
    OPTION_BUILDS,
};

static const struct option_row rows[] = {
    [OPTION_DRY_RUN] = {"--dry-run", NULL, "show the schedule and an estimate; play nothing"},
    [OPTION_JOBS] = {"--jobs", "N", "worker processes (one a core)"},
    [OPTION_FRESH] = {"--fresh", NULL, "delete what was played before and begin anew"},
    [OPTION_ACCEPT] = {"--accept-changes", NULL,
                       "go on although bots came, went or changed, or clocks did"},
    [OPTION_SEED] = {"--seed", "WORDS", "of a new tournament: deals that can be had again"},
    [OPTION_CONTAIN] = {"--contain", "LEVEL",
                        OPTIONS_SANDBOX_VALUES "; otherwise as the file says"},
    [OPTION_EACH] = {"--each", NULL, "print each match, in the order of the schedule"},
    [OPTION_QUIET] = {"--quiet", NULL, "no progress on stderr"},
    [OPTION_JSON] = {"--json", NULL, "print the standings as JSON"},
    [OPTION_FEED] = {"--feed", NULL, "tell a program what happens, line by line, and nothing else"},
    [OPTION_BUILDS] = {"--builds", "DIR", "build bots there, where other tournaments do it too"},
    [OPTION_KEYS] = {"--keys", NULL, "explain every key of a tournament file"},
};

static const struct options options = {
    .usage = "tournament FILE",
    .purpose =
        "Plays the tournament that FILE describes (JSON with comments), or goes on with it,\n"
        "and prints the standings. Logs, results and report.html are in its output folder.\n"
        "Ctrl-C lets the running matches end; a second one stops at once.\n",
    .examples = "  referee tournament tournaments/demo.json\n"
                "  referee tournament --dry-run tournaments/swiss.json\n"
                "  referee tournament --accept-changes my.json     # a bot was added\n",
    .rows = rows,
    .count = ARRAY_LEN(rows),
    .most_words = 1,
};

static int take(void *context, size_t row, const char *value)
{
    struct tournament *tournament = context;

    switch (row) {
    case OPTION_DRY_RUN:
        tournament->is_dry_run = true;
        break;
    case OPTION_JOBS:
        if (span_read_number(span_of(value), 0, 256, &tournament->jobs) != 0) {
            message_say("--jobs takes a number from 0 to 256, not `%s`", value);
            return -1;
        }
        break;
    case OPTION_FRESH:
        tournament->is_fresh = true;
        break;
    case OPTION_ACCEPT:
        tournament->accepts_changes = true;
        break;
    case OPTION_SEED:
        free(tournament->seed_words);
        tournament->seed_words = options_take_secret(value);
        break;
    case OPTION_CONTAIN:
        return options_sandbox_read(value, &tournament->level);
    case OPTION_EACH:
        tournament->shows_each = true;
        break;
    case OPTION_QUIET:
        tournament->is_quiet = true;
        break;
    case OPTION_BUILDS:
        tournament->builds = value;
        break;
    case OPTION_JSON:
        tournament->is_json = true;
        break;
    case OPTION_FEED:
        tournament->has_feed = true;
        break;
    default:
        tournament->shows_keys = true;
        break;
    }
    return 0;
}

/* Afterwards. */

static void say_end(const struct tournament *tournament)
{
    if (tournament->end == COORDINATOR_STOPPED)
        message_say("stopped after %lu of %lu matches; to go on: referee tournament %s",
                    progression_decided(tournament->progression),
                    progression_matches(tournament->progression), tournament->path);
    else if (tournament->end == COORDINATOR_PAUSED)
        message_say("some matches were void time and again and are missing; when the cause is "
                    "mended: referee tournament %s",
                    tournament->path);
}

/* Returns 0, or -1 if a file could not be written, which is said. */
static int show(const struct tournament *tournament)
{
    struct summary *summary = summary_new(tournament->progression, tournament->store);
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

static int play_and_show(struct tournament *tournament)
{
    int code = tournament_prepare(tournament);

    if (code == CLI_FINE)
        code = tournament_play(tournament);
    if (code != CLI_FINE)
        return code;
    if (tournament->feed != NULL)
        return tournament->end == COORDINATOR_FINISHED ? CLI_FINE : CLI_FAILED;
    /* Who pressed twice wants to be gone. */
    if (tournament->interrupts < 2 && tournament->end != COORDINATOR_FAILED &&
        show(tournament) != 0)
        code = CLI_FAILED;
    say_end(tournament);
    return tournament->end == COORDINATOR_FINISHED ? code : CLI_FAILED;
}

static int run(struct tournament *tournament)
{
    int code = CLI_USAGE;

    tournament->config = config_load(tournament->path, tournament_on_problem, tournament);
    if (tournament->config == NULL)
        return CLI_USAGE;
    if (!tournament->is_dry_run) {
        code = play_and_show(tournament);
    } else {
        tournament->bot_setups =
            bot_setups_new(tournament->config, NULL, NULL, tournament_on_problem, tournament);
        if (tournament->bot_setups != NULL)
            code = dry_run(tournament->config);
    }
    progression_free(tournament->progression);
    bot_setups_free(tournament->bot_setups);
    sandbox_free(tournament->sandbox);
    free(tournament->by_number);
    store_free(tournament->store);
    config_free(tournament->config);
    return code;
}

/* Whoever has it played is gone, and perhaps about to have it played again. */
static void on_closed(void *context)
{
    struct tournament *tournament = context;

    tournament->interrupts = 2;
    if (tournament->base != NULL)
        event_base_loopbreak(tournament->base);
}

/* Whatever kept it from playing, the feed has an end. */
static int run_with_feed(struct tournament *tournament)
{
    int code;

    tournament->feed = feed_new(on_closed, tournament);
    code = run(tournament);
    (void)feed_end(tournament->feed, COORDINATOR_FAILED, true);
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

int cli_tournament(int argc, char **argv)
{
    struct tournament tournament = {.jobs = -1, .level = SANDBOX_LEVEL_COUNT};
    size_t words = 0;
    enum options_result result = options_read(&options, argc, argv, take, &tournament, &words);
    int code;

    if (result != OPTIONS_FINE)
        return result == OPTIONS_HELP ? CLI_FINE : CLI_USAGE;
    if (tournament.shows_keys)
        return print_keys();
    if (words != 1) {
        message_say("which tournament? `referee tournament --help` shows examples");
        return CLI_USAGE;
    }
    if (tournament.has_feed &&
        (tournament.is_dry_run || tournament.shows_each || tournament.is_json)) {
        message_say("--feed goes without --dry-run, --each and --json");
        return CLI_USAGE;
    }
    if (deal_random_init() != 0) {
        message_say("the system has no randomness to deal with");
        return CLI_FAILED;
    }
    tournament.path = argv[1];
    code = tournament.has_feed ? run_with_feed(&tournament) : run(&tournament);
    free(tournament.seed_words);
    return code;
}
