/* One connection, and one request per job. One that is refused does not keep the others from being
 * sent. */

#include "cli/client/each_job.h"

#include "cli/cli.h"
#include "cli/client/follow.h"

static int ask(struct connection *client, enum request_verb verb, const char *job)
{
    struct request_line request;
    struct request_reply reply;

    request_line_start(&request, verb);
    request_line_add(&request, NULL, job);
    return connection_ask(client, &request, span_of(""), &reply);
}

int each_job_ask(const struct options *options, enum request_verb verb, int argc, char **argv)
{
    struct dial dial = {.socket = NULL};
    struct connection *client;
    int code;
    int count = options_read(options, argc, argv, &dial, &code);

    if (count < 0)
        return code;
    for (int i = 1; i <= count; i++) {
        if (follow_number(argv[i]) == 0)
            return CLI_USAGE;
    }
    client = connection_begin(&dial, &code);
    for (int i = 1; client != NULL && i <= count; i++) {
        int one = ask(client, verb, argv[i]);

        code = one != CLI_FINE ? one : code;
    }
    connection_free(client);
    return code;
}
