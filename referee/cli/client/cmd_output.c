/* `referee output` prints what a daemon keeps for the author of a bot: what its build printed, how
 * its hello went, the report of its check. */

#include "cli/cli.h"
#include "cli/client/connection.h"
#include "cli/client/output_print.h"
#include "cli/options.h"

#include <stdio.h>

struct output_command {
    struct dial dial;
    const char *step;
};

static const struct option_row rows[] = {
    {DIAL_OPTIONS(struct output_command, dial)},
    {"--of", "build|hello|check", "which step (the first that failed, else the last)",
     OPTION_TEXT(struct output_command, step)},
    {.name = NULL},
};

static const struct options options = {
    .command = "output",
    .usage = "[OPTION...] BOT",
    .purpose =
        "Prints what your bot printed when the daemon built it, greeted it or checked it: the\n"
        "newest version, or BOT@VERSION. Only its author and the organisers may read it.\n",
    .examples = "  referee output anna\n"
                "  referee output anna@3 --of check\n",
    .rows = rows,
    .takes = "one BOT",
    .least = 1,
    .most = 1,
};

int cli_output(int argc, char **argv)
{
    struct output_command output = {.step = NULL};
    struct request_line request;
    struct request_reply reply;
    struct connection *client;
    int code;

    if (options_read(&options, argc, argv, &output, &code) < 0)
        return code;
    request_line_start(&request, REQUEST_OUTPUT);
    request_line_add(&request, NULL, argv[1]);
    if (output.step != NULL)
        request_line_add(&request, "of", output.step);
    client = connection_begin(&output.dial, &code);
    if (client != NULL)
        code = connection_ask(client, &request, span_of(""), &reply);
    if (client != NULL && code == CLI_FINE)
        output_print(stdout, reply.block, reply.length);
    connection_free(client);
    return code;
}
