/* `referee bridge SOCKET NAME` plays in the place of a remote bot: the process that plays a match
 * starts it like any bot. It fetches the connection of the remote bot from the daemon and passes
 * bytes on. The time until then is charged to the bot, like the time that a program needs to
 * start. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/client/connection.h"
#include "cli/options.h"
#include "cli/client/relay.h"

#include <poll.h>
#include <unistd.h>

static const struct options options = {
    .command = "bridge",
    .usage = "SOCKET NAME",
    .purpose = "Plays as the bot NAME that waits at the daemon of SOCKET, over stdin and stdout.\n"
               "The daemon uses this for remote bots; you do not need it.\n",
    .takes = "a SOCKET and the NAME of a bot",
    .least = 2,
    .most = 2,
};

/* Waits for the daemon's reply. If the match ends first, no bot may be fetched for it any more. */
static bool is_still_wanted(const struct connection *client)
{
    struct pollfd polled[2] = {
        {.fd = connection_fd(client), .events = POLLIN},
        {.fd = STDIN_FILENO, .events = POLLRDHUP},
    };

    while (polled[0].revents == 0) {
        if (poll(polled, ARRAY_LEN(polled), -1) < 0)
            continue;
        if (polled[1].revents & (POLLHUP | POLLRDHUP | POLLERR | POLLNVAL))
            return false;
    }
    return true;
}

/* The connection of the bot, or -1 after it printed the problem. */
static int fetch(struct connection *client, const char *name)
{
    char sentence[200];
    struct text problem;
    struct request_line request;
    struct request_reply reply;
    const char *message = "the daemon closed the connection";

    text_start(&problem, sentence, sizeof sentence);
    request_line_start(&request, REQUEST_FETCH);
    request_line_add(&request, NULL, name);
    if (connection_send(client, &request, span_of(""), &problem) != 0) {
        message_say("%s", sentence);
        return -1;
    }
    if (!is_still_wanted(client))
        return -1;
    connection_read(client, &reply);
    if (reply.kind == REQUEST_REPLY_OK)
        return connection_take_passed_fd(client);
    if (reply.kind == REQUEST_REPLY_ERROR)
        (void)connection_error(&reply, &message);
    message_say("%s", message);
    return -1;
}

static int run(const char *socket, const char *name)
{
    struct dial dial = {.socket = socket};
    struct relay_ends ends = {STDIN_FILENO, STDOUT_FILENO, -1};
    struct connection *client;
    int code;

    client = connection_begin(&dial, &code);
    if (client == NULL)
        return code;
    ends.far = fetch(client, name);
    connection_free(client);
    if (ends.far < 0)
        return CLI_FAILED;
    (void)relay_run(&ends, span_of(""), false);
    return CLI_FINE;
}

int cli_bridge(int argc, char **argv)
{
    int code;

    return options_read(&options, argc, argv, NULL, &code) < 0 ? code : run(argv[1], argv[2]);
}
