/* `referee replay` shows a logged match, proves it, and puts a bot back into it. Every way of looking at
 * a log goes through struct replay, which plays it again by the rules; so whatever is shown is true. */

#include "cli/replay/cmd_replay.h"

#include "base/deal_random.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SEAT(member) OPTION_NUMBER(struct replay_settings, member, 0, ALLEGRA_SEATS_MAX - 1)
#define NUMBER(member) OPTION_NUMBER(struct replay_settings, member, 1, 100000000)
#define FLAG(member) OPTION_FLAG(struct replay_settings, member)

static const struct option_row rows[] = {
    {"--at", "N", "show the table at decision N", NUMBER(at)},
    {"--round", "R", "show only round R", NUMBER(round)},
    {"--seat", "S", "show what seat S sees", SEAT(seat)},
    {"--events", NULL, "print one line per event", FLAG(is_events)},
    {"--step", NULL, "step through it in the terminal", FLAG(is_step)},
    {"--json", NULL, "print one JSON document per decision", FLAG(is_json)},
    {"--html", NULL, "print a page that shows it in a browser, in one file", FLAG(is_html)},
    {"--verify", NULL, "verify each LOG: deal, rules, scores, bytes, hashes", FLAG(is_verify)},
    {"--wire", "S", "print the bytes that were sent to the bot of seat S (up to --at N)",
     SEAT(wire)},
    {"--against", "COMMAND", "ask this bot everything that the bot of --seat S was asked",
     OPTION_TEXT(struct replay_settings, against)},
    {"--all", NULL, "with --against: do not stop at the first difference", FLAG(is_all)},
    {"--debugger", NULL, "with --against: run it under gdb, without a clock", FLAG(is_debugger)},
    {"--from", "N", "with --against: compare and measure from decision N on", NUMBER(from)},
    {"--branch", "N", "continue from decision N with other bots: LOG -- BOT BOT...",
     NUMBER(branch)},
    {"--log", "FILE", "with --branch: write the new log there",
     OPTION_TEXT(struct replay_settings, log_path)},
    {"--move-ms", "MS", "with --against: time per answer (as logged)", NUMBER(move_ms)},
    {.name = NULL},
};

static const struct options options = {
    .command = "replay",
    .usage = "[OPTION...] LOG...",
    .purpose = "Shows, verifies or debugs a logged match.\n",
    .examples = "  referee replay game.ndjson\n"
                "  referee replay --at 120 --seat 2 game.ndjson\n"
                "  referee replay --html game.ndjson > game.html\n"
                "  referee replay --verify logs/*.ndjson\n"
                "  referee replay --wire 0 --at 120 game.ndjson | ./mybot\n"
                "  referee replay --against ./mybot --seat 0 game.ndjson\n"
                "  referee replay --branch 120 --log new.ndjson game.ndjson -- ./mybot ./other\n",
    .rows = rows,
    .takes = "a LOG",
    .least = 1,
    .most = SIZE_MAX,
};

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

static int run(const struct replay_settings *settings, char **words, unsigned count)
{
    if (settings->is_verify)
        return verify_all(words, count);
    if (settings->branch > 0)
        return replay_branch(settings, words[0], words + 1, count - 1);
    if (count > 1) {
        message_say("only --verify takes several logs");
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
    int code;
    int count = options_read(&options, argc, argv, &settings, &code);

    if (count < 0)
        return code;
    return deal_random_init() == 0 ? run(&settings, argv + 1, (unsigned)count) : CLI_FAILED;
}
