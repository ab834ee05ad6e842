/* `referee watch` prints what happens at the daemon while it happens. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/client/follow.h"

enum { OPTION_RAW = DIAL_COUNT };

static const struct option_row rows[] = {
    DIAL_ROWS,
    [OPTION_RAW] = {"--raw", NULL, "the events as the daemon sends them, for programs"},
};

static const struct options options = {
    .usage = "watch [OPTION...] [WORK]",
    .purpose =
        "Prints what happens at the daemon, a line for each event: of one WORK until it is over,\n"
        "or of all. Results are told when a deal block is decided, so nobody sees a deal early.\n",
    .examples = "  referee watch\n"
                "  referee watch 17\n"
                "  referee watch --raw | grep ' over '\n",
    .rows = rows,
    .count = ARRAY_LEN(rows),
    .most_words = 1,
};

struct watch {
    struct dial dial;
    bool is_raw;
};

static int take(void *context, size_t row, const char *value)
{
    struct watch *watch = context;

    if (row < DIAL_COUNT)
        return dial_take(&watch->dial, row, value);
    watch->is_raw = true;
    return 0;
}

int cli_watch(int argc, char **argv)
{
    struct watch watch = {.is_raw = false};
    struct connection *client;
    size_t words = 0;
    enum options_result result = options_read(&options, argc, argv, take, &watch, &words);
    long job = 0;
    int code;

    if (result != OPTIONS_FINE)
        return result == OPTIONS_HELP ? CLI_FINE : CLI_USAGE;
    if (words == 1 && (job = follow_number(argv[1])) == 0)
        return CLI_USAGE;
    client = connection_begin(&watch.dial, &code);
    if (client != NULL)
        code = follow_run(client, job, watch.is_raw, stdout);
    connection_free(client);
    return code;
}
