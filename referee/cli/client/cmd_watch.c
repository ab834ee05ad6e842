/* `referee watch` prints what happens at the daemon while it happens. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/client/follow.h"

struct watch {
    struct dial dial;
    bool is_raw;
};

static const struct option_row rows[] = {
    {DIAL_OPTIONS(struct watch, dial)},
    {"--raw", NULL, "print the events as the daemon sends them, for programs",
     OPTION_FLAG(struct watch, is_raw)},
    {.name = NULL},
};

static const struct options options = {
    .command = "watch",
    .usage = "[OPTION...] [JOB]",
    .purpose =
        "Prints the events of the daemon as they happen, one line each: those of one JOB until it\n"
        "is over, or all. Results appear when a block is decided, so nobody sees a deal early.\n",
    .examples = "  referee watch\n"
                "  referee watch 17\n"
                "  referee watch --raw | grep ' over '\n",
    .rows = rows,
    .takes = "at most one JOB",
    .most = 1,
};

int cli_watch(int argc, char **argv)
{
    struct watch watch = {.is_raw = false};
    struct connection *client;
    long job = 0;
    int code;
    int count = options_read(&options, argc, argv, &watch, &code);

    if (count < 0)
        return code;
    if (count == 1 && (job = follow_number(argv[1])) == 0)
        return CLI_USAGE;
    client = connection_begin(&watch.dial, &code);
    if (client != NULL)
        code = follow_run(client, job, watch.is_raw, stdout);
    connection_free(client);
    return code;
}
