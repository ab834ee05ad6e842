/* `referee cancel` removes jobs from the daemon's queue, or stops them. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/client/follow.h"

#include <stdint.h>

static const struct option_row rows[] = {
    {.group = dial_rows},
    {.name = NULL},
};

static const struct options options = {
    .command = "cancel",
    .usage = "[OPTION...] JOB...",
    .purpose =
        "Takes jobs out of the daemon's queue, or stops them. Results that are decided stay.\n",
    .examples = "  referee cancel 17\n",
    .rows = rows,
    .takes = "the numbers of jobs, which `referee queue` shows",
    .least = 1,
    .most = SIZE_MAX,
};

static int cancel(struct connection *client, const char *job)
{
    struct request_line request;
    struct request_reply reply;

    request_line_start(&request, REQUEST_CANCEL);
    request_line_add(&request, NULL, job);
    return connection_ask(client, &request, span_of(""), &reply);
}

int cli_cancel(int argc, char **argv)
{
    struct dial dial = {NULL};
    struct connection *client;
    int code;
    int count = options_read(&options, argc, argv, &dial, &code);

    if (count < 0)
        return code;
    for (int i = 1; i <= count; i++) {
        if (follow_number(argv[i]) == 0)
            return CLI_USAGE;
    }
    client = connection_begin(&dial, &code);
    /* A job that cannot be cancelled does not keep the others from being cancelled. */
    for (int i = 1; client != NULL && i <= count; i++) {
        int one = cancel(client, argv[i]);

        code = one != CLI_FINE ? one : code;
    }
    connection_free(client);
    return code;
}
