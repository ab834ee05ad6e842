/* What organisers of a daemon do, and authors with their own bots and jobs: `referee rerun`,
 * `replay-bot`, `disqualify` and `remove`. Each is one request per argument, over one connection;
 * one that is refused does not keep the others from being sent. */

#include "cli/cli.h"
#include "cli/client/connection.h"
#include "cli/client/follow.h"
#include "cli/options.h"

#include <stdint.h>
#include <stdio.h>

struct organise {
    struct dial dial;
    const char *why;
    bool is_undone;
};

static int ask(struct connection *client, const struct request_line *request)
{
    struct request_reply reply;
    int code = connection_ask(client, request, span_of(""), &reply);

    if (code == CLI_FINE && reply.kind == REQUEST_REPLY_OK && reply.text[0] != '\0')
        puts(reply.text);
    return code;
}

/* The same request about each argument from the first on. `job` comes before it, or is NULL. */
static int ask_each(const struct organise *organise, enum request_verb verb, const char *job,
                    char **arguments, int count)
{
    int code;
    struct connection *client = connection_begin(&organise->dial, &code);

    for (int i = 0; client != NULL && i < count; i++) {
        struct request_line request;
        int one;

        request_line_start(&request, verb);
        if (job != NULL)
            request_line_add(&request, NULL, job);
        request_line_add(&request, NULL, arguments[i]);
        if (organise->why != NULL)
            request_line_add(&request, "why", organise->why);
        one = ask(client, &request);
        code = one != CLI_FINE ? one : code;
    }
    connection_free(client);
    return code;
}

/* Rerun. */

static const struct option_row plain_rows[] = {
    {DIAL_OPTIONS(struct organise, dial)},
    {.name = NULL},
};

static const struct options rerun_options = {
    .command = "rerun",
    .usage = "[OPTION...] JOB...",
    .purpose =
        "Submits jobs of a daemon once more, as new jobs: the same file, and the same versions of\n"
        "the bots. Your own jobs, or as an organiser any. Prints the numbers of the new jobs.\n",
    .examples = "  referee rerun 17\n",
    .rows = plain_rows,
    .takes = "the numbers of jobs, which `referee queue` shows",
    .least = 1,
    .most = SIZE_MAX,
};

int cli_rerun(int argc, char **argv)
{
    struct organise organise = {.why = NULL};
    int code;
    int count = options_read(&rerun_options, argc, argv, &organise, &code);

    if (count < 0)
        return code;
    for (int i = 1; i <= count; i++) {
        if (follow_number(argv[i]) == 0)
            return CLI_USAGE;
    }
    return ask_each(&organise, REQUEST_RERUN, NULL, argv + 1, count);
}

/* Replays. */

static const struct options replay_options = {
    .command = "replay-bot",
    .usage = "[OPTION...] JOB NAME...",
    .purpose =
        "Plays all matches of a bot in a job of a daemon again, with other deals and the newest\n"
        "version of the bot: it was repaired, and its old results do not count any more. For a\n"
        "tournament without a daemon: referee tournament --replay-bot NAME FILE.\n",
    .examples = "  referee replay-bot 17 mybot\n",
    .rows = plain_rows,
    .takes = "a JOB and the names of bots in it",
    .least = 2,
    .most = SIZE_MAX,
};

int cli_replay_bot(int argc, char **argv)
{
    struct organise organise = {.why = NULL};
    int code;
    int count = options_read(&replay_options, argc, argv, &organise, &code);

    if (count < 0)
        return code;
    if (follow_number(argv[1]) == 0)
        return CLI_USAGE;
    return ask_each(&organise, REQUEST_REPLAY, argv[1], argv + 2, count - 1);
}

/* Bots. */

static const struct option_row disqualify_rows[] = {
    {DIAL_OPTIONS(struct organise, dial)},
    {"--why", "TEXT", "the reason, which everybody can read", OPTION_TEXT(struct organise, why)},
    {"--undo", NULL, "take the disqualification back", OPTION_FLAG(struct organise, is_undone)},
    {.name = NULL},
};

static const struct options disqualify_options = {
    .command = "disqualify",
    .usage = "[OPTION...] NAME...",
    .purpose =
        "Disqualifies bots of a daemon, all versions of each: they are in no new match and have "
        "no\n"
        "rank in ladders and grades. Their matches that wait are cancelled, tournaments go on\n"
        "without them, and what they have played stays. Only for organisers.\n",
    .examples = "  referee disqualify cheat --why \"a copy of greedy\"\n"
                "  referee disqualify cheat --undo\n",
    .rows = disqualify_rows,
    .takes = "the names of bots, which `referee queue --bots` shows",
    .least = 1,
    .most = SIZE_MAX,
};

int cli_disqualify(int argc, char **argv)
{
    struct organise organise = {.why = NULL};
    int code;
    int count = options_read(&disqualify_options, argc, argv, &organise, &code);

    if (count < 0)
        return code;
    if (organise.is_undone)
        organise.why = NULL;
    return ask_each(&organise, organise.is_undone ? REQUEST_REINSTATE : REQUEST_DISQUALIFY, NULL,
                    argv + 1, count);
}

static const struct options remove_options = {
    .command = "remove",
    .usage = "[OPTION...] NAME...",
    .purpose =
        "Removes bots from a daemon, all versions of each: they are not listed any more, play no\n"
        "new match, and their files are deleted. What they have played stays. Your own bots, or "
        "as\n"
        "an organiser any.\n",
    .examples = "  referee remove mybot\n",
    .rows = plain_rows,
    .takes = "the names of bots, which `referee queue --bots` shows",
    .least = 1,
    .most = SIZE_MAX,
};

int cli_remove(int argc, char **argv)
{
    struct organise organise = {.why = NULL};
    int code;
    int count = options_read(&remove_options, argc, argv, &organise, &code);

    return count < 0 ? code : ask_each(&organise, REQUEST_REMOVE, NULL, argv + 1, count);
}
