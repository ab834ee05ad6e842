/* `referee replay` shows a logged match, proves it, and puts a bot back into it. Every way of looking at
 * a log goes through struct replay, which plays it again by the rules; so whatever is shown is true. */

#include "cli/replay/cmd_replay.h"

#include "base/deal_random.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTION_AT,
    OPTION_ROUND,
    OPTION_SEAT,
    OPTION_EVENTS,
    OPTION_STEP,
    OPTION_JSON,
    OPTION_HTML,
    OPTION_VERIFY,
    OPTION_WIRE,
    OPTION_AGAINST,
    OPTION_ALL,
    OPTION_DEBUGGER,
    OPTION_FROM,
    OPTION_BRANCH,
    OPTION_LOG,
    OPTION_MOVE_MS,
};

static const struct option_row rows[] = {
    [OPTION_AT] = {"--at", "N", "show the table at decision N"},
    [OPTION_ROUND] = {"--round", "R", "show only round R"},
    [OPTION_SEAT] = {"--seat", "S", "show it as seat S saw it"},
    [OPTION_EVENTS] = {"--events", NULL, "print one line for each event"},
    [OPTION_STEP] = {"--step", NULL, "step through it in the terminal"},
    [OPTION_JSON] = {"--json", NULL, "print one JSON document for each decision"},
    [OPTION_HTML] = {"--html", NULL, "print a page that shows it in a browser, in one file"},
    [OPTION_VERIFY] = {"--verify", NULL, "prove each LOG: deal, rules, scores, bytes, hashes"},
    [OPTION_WIRE] = {"--wire", "S", "print the bytes that the bot of seat S got (up to --at N)"},
    [OPTION_AGAINST] = {"--against", "COMMAND", "ask this bot what the bot of --seat S was asked"},
    [OPTION_ALL] = {"--all", NULL, "with --against: do not stop at the first difference"},
    [OPTION_DEBUGGER] = {"--debugger", NULL, "with --against: run it under gdb, without a clock"},
    [OPTION_FROM] = {"--from", "N", "with --against: compare and measure from decision N on"},
    [OPTION_BRANCH] = {"--branch", "N",
                       "play on from decision N with other bots: LOG -- BOT BOT..."},
    [OPTION_LOG] = {"--log", "FILE", "with --branch: write the new log there"},
    [OPTION_MOVE_MS] = {"--move-ms", "MS", "with --against: time for each answer (as logged)"},
};

static const struct options options = {
    .usage = "replay [OPTION...] LOG...",
    .purpose = "Shows a logged match, or does with it what an option says.\n",
    .examples = "  referee replay game.ndjson\n"
                "  referee replay --at 120 --seat 2 game.ndjson\n"
                "  referee replay --html game.ndjson > game.html\n"
                "  referee replay --verify logs/*.ndjson\n"
                "  referee replay --wire 0 --at 120 game.ndjson | ./mybot\n"
                "  referee replay --against ./mybot --seat 0 game.ndjson\n"
                "  referee replay --branch 120 --log new.ndjson game.ndjson -- ./mybot ./other\n",
    .rows = rows,
    .count = ARRAY_LEN(rows),
    .most_words = 100000,
};

static int take_number(struct replay_settings *settings, size_t row, const char *value)
{
    bool is_seat = row == OPTION_SEAT || row == OPTION_WIRE;
    long most = is_seat ? ALLEGRA_SEATS_MAX - 1 : 100000000;
    long number;

    if (span_read_number(span_of(value), is_seat ? 0 : 1, most, &number) != 0) {
        message_say("%s does not take `%s`", rows[row].name, value);
        return -1;
    }
    switch (row) {
    case OPTION_AT:
        settings->at = number;
        break;
    case OPTION_ROUND:
        settings->round = number;
        break;
    case OPTION_SEAT:
        settings->seat = (int)number;
        break;
    case OPTION_WIRE:
        settings->wire = (int)number;
        break;
    case OPTION_FROM:
        settings->from = number;
        break;
    case OPTION_MOVE_MS:
        settings->move_ms = number;
        break;
    default:
        settings->branch = number;
        break;
    }
    return 0;
}

static int take(void *context, size_t row, const char *value)
{
    struct replay_settings *settings = context;

    switch (row) {
    case OPTION_EVENTS:
        settings->is_events = true;
        return 0;
    case OPTION_STEP:
        settings->is_step = true;
        return 0;
    case OPTION_JSON:
        settings->is_json = true;
        return 0;
    case OPTION_HTML:
        settings->is_html = true;
        return 0;
    case OPTION_VERIFY:
        settings->is_verify = true;
        return 0;
    case OPTION_ALL:
        settings->is_all = true;
        return 0;
    case OPTION_DEBUGGER:
        settings->is_debugger = true;
        return 0;
    case OPTION_AGAINST:
        settings->against = value;
        return 0;
    case OPTION_LOG:
        settings->log_path = value;
        return 0;
    default:
        return take_number(settings, row, value);
    }
}

/* Verifying. */

static int verify(const char *path)
{
    char words[1300];
    struct text problem;
    struct replay *replay;
    int result = -1;

    text_start(&problem, words, sizeof words);
    replay = replay_load(path, NULL, NULL, &problem);
    if (replay != NULL) {
        do
            result = replay_next(replay, &problem);
        while (result > 0);
    }
    if (result == 0)
        printf("%s: verified: %lu decisions, %u rounds, %lu lines\n", path,
               match_decisions(replay_match(replay)), match_table(replay_match(replay))->round,
               replay_lines(replay));
    else
        replay_say_wrong(path, words);
    replay_free(replay);
    return result == 0 ? CLI_FINE : CLI_FAILED;
}

static int verify_all(char **paths, size_t count)
{
    size_t failed = 0;

    for (size_t i = 0; i < count; i++)
        failed += verify(paths[i]) != CLI_FINE;
    if (count > 1)
        printf("%zu logs verified, %zu wrong\n", count - failed, failed);
    return failed == 0 ? CLI_FINE : CLI_FAILED;
}

/* The bytes of a seat. */

static void print_bytes(void *context, unsigned seat, const char *bytes, size_t length)
{
    const int *wanted = context;

    if ((int)seat == *wanted)
        fwrite(bytes, 1, length, stdout);
}

static int print_wire(const struct replay_settings *settings, const char *path)
{
    int seat = settings->wire;
    struct replay *replay = replay_load_or_say(path, print_bytes, &seat);
    unsigned long at = settings->at > 0 ? (unsigned long)settings->at : (unsigned long)-1;
    int code = CLI_FAILED;

    if (replay != NULL && !replay_has_seat(replay, seat, path))
        code = CLI_USAGE;
    else if (replay != NULL && replay_go_to(replay, path, at) == 0)
        code = CLI_FINE;
    replay_free(replay);
    return code;
}

static int run(const struct replay_settings *settings, char **words, size_t count)
{
    if (count == 0) {
        message_say("replay needs a LOG; see `referee replay --help`");
        return CLI_USAGE;
    }
    if (settings->is_verify)
        return verify_all(words, count);
    if (settings->branch > 0)
        return replay_branch(settings, words[0], words + 1, (unsigned)(count - 1));
    if (count > 1) {
        message_say("several logs go only with --verify");
        return CLI_USAGE;
    }
    if (settings->is_html)
        return replay_html(words[0]);
    if (settings->against != NULL)
        return replay_against(settings, words[0]);
    if (settings->wire != REPLAY_NO_SEAT)
        return print_wire(settings, words[0]);
    return replay_show(settings, words[0]);
}

int cli_replay(int argc, char **argv)
{
    struct replay_settings settings = {
        .at = -1, .round = -1, .seat = REPLAY_NO_SEAT, .wire = REPLAY_NO_SEAT, .branch = -1};
    size_t words = 0;

    switch (options_read(&options, argc, argv, take, &settings, &words)) {
    case OPTIONS_HELP:
        return CLI_FINE;
    case OPTIONS_WRONG:
        return CLI_USAGE;
    case OPTIONS_FINE:
        break;
    }
    if (deal_random_init() != 0)
        return CLI_FAILED;
    return run(&settings, argv + 1, words);
}
