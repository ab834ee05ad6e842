/* `referee replay` shows a logged match, verifies it, and puts a bot back into it. Every view of
 * a log goes through struct replay, which plays it again by the rules, so whatever is shown is
 * true. */

#include "cli/replay/cmd_replay.h"

#include "base/deal_random.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/options_match.h"

#include <stdint.h>

#define NUMBER(member, least, most) OPTION_NUMBER(struct cmd_replay_settings, member, least, most)
#define SEAT(member) NUMBER(member, 0, ALLEGRA_SEATS_MAX - 1)
#define DECISION(member) NUMBER(member, LONG_MIN, LONG_MAX) /* the log knows the range */
#define FLAG(member) OPTION_FLAG(struct cmd_replay_settings, member)

static const struct option_row rows[] = {
    {"--at", "N", "show the table before decision N, its answer and its position", DECISION(at)},
    {"--round", "R", "show only round R", NUMBER(round, 1, 1000000)},
    {"--seat", "S", "show what seat S sees", SEAT(seat)},
    {"--events", NULL, "print one line per event", FLAG(is_events)},
    {"--step", NULL, "step through it in the terminal", FLAG(is_step)},
    {"--json", NULL, "print one JSON document per decision; with --verify per LOG", FLAG(is_json)},
    {"--html", NULL, "print a page that shows it in a browser, in one file", FLAG(is_html),
     .prints = true},
    {"--verify", NULL, "verify each LOG, or a whole tournament: its output folder",
     FLAG(is_verify)},
    {"--wire", "S", "print the bytes that were sent to the bot of seat S (up to --at N)",
     SEAT(wire)},
    {"--against", "COMMAND", "ask this bot everything that the bot of --seat S was asked",
     OPTION_TEXT(struct cmd_replay_settings, against)},
    {"--all", NULL, "with --against: show all differences, not only the first", FLAG(is_all)},
    {"--debugger", NULL, "with --against: run it under gdb or pdb, without a clock",
     FLAG(is_debugger)},
    {"--from", "N", "with --against: compare and measure from decision N on", DECISION(from)},
    {"--branch", "N", "continue from decision N with other bots: LOG -- BOT BOT...",
     DECISION(branch)},
    {"--log", "FILE", "with --branch: the new log (FILE.partial until it is complete)",
     OPTION_TEXT(struct cmd_replay_settings, log_path)},
    {"--move-ms", "MS", "with --against: time per answer (as logged)",
     NUMBER(move_ms, 1, OPTIONS_MATCH_TIME_MAX_MS)},
    {.name = NULL},
};

static const struct options options = {
    .command = "replay",
    .usage = "[OPTION...] LOG...",
    .purpose =
        "Shows, verifies or debugs a logged match.\n"
        "Decision N is number `n` of the log and stands for the moment before it is made, in all\n"
        "options, in --step and in the links of --html (#d=N).\n"
        "--against asks the question at which the logged bot failed too, and says whether this "
        "one\n"
        "fails again or is fixed. Its exit code is 3 if the bot is at fault, 1 if an answer is\n"
        "different, else 0. --debugger takes gdb for programs and pdb for Python; for other "
        "scripts\n"
        "it keeps the bytes in a file and prints the command that runs the bot with them.\n",
    .examples = "  referee replay game.ndjson\n"
                "  referee replay --at 120 --seat 2 game.ndjson\n"
                "  referee replay --html game.ndjson > game.html\n"
                "  referee replay --verify logs/*.ndjson\n"
                "  referee replay --verify build/tournament\n"
                "  referee replay --wire 0 --at 120 game.ndjson | ./mybot\n"
                "  referee replay --against ./mybot --seat 0 game.ndjson\n"
                "  referee replay --against './mybot -v' --seat 0 --debugger --at 57 game.ndjson\n"
                "  referee replay --at 57 game.ndjson | referee ask ./mybot -\n"
                "  referee replay --branch 120 --log new.ndjson game.ndjson -- ./mybot ./other\n",
    .rows = rows,
    .takes = "a LOG",
    .least = 1,
    .most = SIZE_MAX,
};

static void print_bytes(void *context, unsigned seat, const char *bytes, size_t length)
{
    const int *wanted = context;

    if ((int)seat == *wanted)
        fwrite(bytes, 1, length, stdout);
}

static int print_wire(const struct cmd_replay_settings *settings, const char *path)
{
    int seat = settings->wire;
    struct replay *replay = cmd_replay_load_whole(path, NULL, NULL, "--wire");
    int code = CLI_FAILED;

    /* Nothing is printed before it is known that there is such a moment. */
    if (replay != NULL &&
        (!cmd_replay_has_seat(replay, "--wire", seat) ||
         !cmd_replay_has_decision("--at", settings->at, replay_decisions(replay) + 1))) {
        replay_free(replay);
        return CLI_USAGE;
    }
    replay_free(replay);
    replay = replay != NULL ? cmd_replay_load(path, print_bytes, &seat) : NULL;
    if (replay != NULL &&
        cmd_replay_go_to(replay, path,
                         settings->at != CMD_REPLAY_NO_NUMBER ? (unsigned long)settings->at
                                                              : ULONG_MAX) == 0)
        code = CLI_FINE;
    replay_free(replay);
    return code;
}

/* Options that mean nothing without another one, or together. Returns 0, or -1 after it has said
 * so. */
static int check(const struct cmd_replay_settings *settings)
{
    bool is_against = settings->against != NULL;
    bool is_branch = settings->branch != CMD_REPLAY_NO_NUMBER;
    const struct {
        const char *option;
        bool is_given, is_possible;
        const char *needed;
    } needs[] = {
        {"--all", settings->is_all, is_against, "--against COMMAND"},
        {"--debugger", settings->is_debugger, is_against, "--against COMMAND"},
        {"--from", settings->from != CMD_REPLAY_NO_NUMBER, is_against, "--against COMMAND"},
        {"--move-ms", settings->move_ms > 0, is_against, "--against COMMAND"},
        {"--log", settings->log_path != NULL, is_branch, "--branch N"},
    };
    const struct {
        const char *option;
        bool is_given;
    } views[] = {
        {"--verify", settings->is_verify},
        {"--html", settings->is_html},
        {"--step", settings->is_step},
        {"--events", settings->is_events},
        {"--json", settings->is_json && !settings->is_verify},
        {"--wire", settings->wire != CMD_REPLAY_NO_SEAT},
        {"--against", is_against},
        {"--branch", is_branch},
    };
    const char *view = NULL;

    for (size_t i = 0; i < ARRAY_LEN(needs); i++) {
        if (needs[i].is_given && !needs[i].is_possible) {
            message_say("%s needs %s", needs[i].option, needs[i].needed);
            return -1;
        }
    }
    for (size_t i = 0; i < ARRAY_LEN(views); i++) {
        if (views[i].is_given && view != NULL) {
            message_say("%s does not go with %s", views[i].option, view);
            return -1;
        }
        view = views[i].is_given ? views[i].option : view;
    }
    return 0;
}

static int run(const struct cmd_replay_settings *settings, char **arguments, unsigned count)
{
    if (check(settings) != 0)
        return CLI_USAGE;
    if (settings->is_verify)
        return cmd_replay_verify(settings, arguments, count);
    if (settings->branch != CMD_REPLAY_NO_NUMBER)
        return cmd_replay_branch(settings, arguments[0], arguments + 1, count - 1);
    if (count > 1) {
        message_say("only --verify takes several logs%s",
                    settings->is_html ? "; --html prints to stdout, so put `>FILE` at the end"
                                      : "");
        return CLI_USAGE;
    }
    if (settings->is_html)
        return cmd_replay_html(arguments[0]);
    if (settings->against != NULL)
        return cmd_replay_against(settings, arguments[0]);
    if (settings->wire != CMD_REPLAY_NO_SEAT)
        return print_wire(settings, arguments[0]);
    return cmd_replay_show(settings, arguments[0]);
}

int cli_replay(int argc, char **argv)
{
    struct cmd_replay_settings settings = {
        .at = CMD_REPLAY_NO_NUMBER,
        .from = CMD_REPLAY_NO_NUMBER,
        .branch = CMD_REPLAY_NO_NUMBER,
        .seat = CMD_REPLAY_NO_SEAT,
        .wire = CMD_REPLAY_NO_SEAT,
    };
    int code;
    int count = options_read(&options, argc, argv, &settings, &code);

    if (count < 0)
        return code;
    return deal_random_init() == 0 ? run(&settings, argv + 1, (unsigned)count) : CLI_FAILED;
}
