/* `referee cancel` takes works out of the daemon's queue, or stops them. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/client/follow.h"

#define WORKS_MAX 1000

static const struct option_row rows[] = {DIAL_ROWS};

static const struct options options = {
    .usage = "cancel [OPTION...] WORK...",
    .purpose =
        "Takes works out of the daemon's queue, or stops them. What is decided by then stays.\n",
    .examples = "  referee cancel 17\n",
    .rows = rows,
    .count = ARRAY_LEN(rows),
    .most_words = WORKS_MAX,
};

static int take(void *context, size_t row, const char *value)
{
    return dial_take(context, row, value);
}

static int cancel(struct connection *client, const char *job)
{
    struct request request;
    struct reply reply;

    request_start(&request, "cancel");
    request_add(&request, NULL, job);
    return connection_ask(client, &request, span_of(""), &reply);
}

int cli_cancel(int argc, char **argv)
{
    struct dial dial = {NULL};
    struct connection *client;
    size_t words = 0;
    enum options_result result = options_read(&options, argc, argv, take, &dial, &words);
    int code;

    if (result != OPTIONS_FINE)
        return result == OPTIONS_HELP ? CLI_FINE : CLI_USAGE;
    if (words == 0)
        message_say("which work? `referee queue` shows them");
    for (size_t i = 1; i <= words; i++) {
        if (follow_number(argv[i]) == 0)
            return CLI_USAGE;
    }
    if (words == 0)
        return CLI_USAGE;
    client = connection_begin(&dial, &code);
    /* One that cannot be cancelled does not keep the others. */
    for (size_t i = 1; client != NULL && i <= words; i++) {
        int one = cancel(client, argv[i]);

        code = one != CLI_FINE ? one : code;
    }
    connection_free(client);
    return code;
}
