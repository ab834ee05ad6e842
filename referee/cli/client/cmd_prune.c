/* `referee prune` deletes logs of jobs that are over, to make room. It is a command of its own,
 * like `cancel` and `resume`, because it changes a job by its number; `standings --prune` does the
 * same with a store that is at hand. */

#include "cli/cli.h"
#include "cli/client/connection.h"
#include "cli/client/follow.h"
#include "cli/options.h"

#include "base/message.h"

#include <stdint.h>
#include <stdio.h>

#define NUMBER_MAX 100000

struct prune {
    struct dial dial;
    long days, best; /* -1: it was not named */
};

static const struct option_row rows[] = {
    {"--days", "N", "only logs that are older than N days",
     OPTION_NUMBER(struct prune, days, 0, NUMBER_MAX)},
    {"--best", "N", "only logs of matches without one of the best N bots",
     OPTION_NUMBER(struct prune, best, 0, NUMBER_MAX)},
    {DIAL_OPTIONS(struct prune, dial)},
    {.name = NULL},
};

static const struct options options = {
    .command = "prune",
    .usage = "[OPTION...] JOB...",
    .purpose =
        "Deletes the logs of jobs of a daemon that are over, to make room: they count against the\n"
        "megabytes of whoever has submitted the job. Results and tables stay, and the hashes, by\n"
        "which copies of the logs can still be proved. Your own jobs, or as an organiser any.\n",
    .examples = "  referee prune 17\n"
                "  referee prune --best 8 17\n",
    .rows = rows,
    .takes = "the numbers of jobs, which `referee queue --all` shows",
    .least = 1,
    .most = SIZE_MAX,
};

static int ask(struct connection *client, const struct prune *prune, const char *job)
{
    struct request_line request;
    struct request_reply reply;
    char number[24];
    int code;

    snprintf(number, sizeof number, "%ld", prune->days >= 0 ? prune->days : prune->best);
    request_line_start(&request, REQUEST_PRUNE);
    request_line_add(&request, NULL, job);
    if (prune->days >= 0 || prune->best >= 0)
        request_line_add(&request, prune->days >= 0 ? "days" : "best", number);
    code = connection_ask(client, &request, span_of(""), &reply);
    if (code == CLI_FINE && reply.kind == REQUEST_REPLY_OK)
        puts(reply.text);
    return code;
}

static int check(const struct prune *prune, char **jobs, int count)
{
    if (prune->days >= 0 && prune->best >= 0) {
        message_say("--days does not go with --best");
        return -1;
    }
    for (int i = 0; i < count; i++) {
        if (follow_number(jobs[i]) == 0)
            return -1;
    }
    return 0;
}

int cli_prune(int argc, char **argv)
{
    struct prune prune = {.days = -1, .best = -1};
    struct connection *client;
    int code;
    int count = options_read(&options, argc, argv, &prune, &code);

    if (count < 0)
        return code;
    if (check(&prune, argv + 1, count) != 0)
        return CLI_USAGE;
    client = connection_begin(&prune.dial, &code);
    for (int i = 1; client != NULL && i <= count; i++) {
        int one = ask(client, &prune, argv[i]);

        code = one != CLI_FINE ? one : code;
    }
    connection_free(client);
    return code;
}
