/* `referee bridge SOCKET NAME` sits where a bot that plays from elsewhere would: whoever plays a match
 * starts it like any bot. It fetches the connection of the real one from the daemon and passes bytes on.
 * The time until that has come is the bot's, like the time that a program needs to start. */

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
               "The daemon uses this for bots that play from elsewhere; you do not need it.\n",
    .takes = "a SOCKET and the NAME of a bot",
    .least = 2,
    .most = 2,
};

/* Waits for the daemon's reply. If the match ends first, nobody may be fetched for it any more. */
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

/* The connection of the bot, or -1 after it said what is wrong. */
static int fetch(struct connection *client, const char *name)
{
    char words[200];
    struct text problem;
    struct request_line request;
    struct reply reply;
    const char *sentence;

    text_start(&problem, words, sizeof words);
    request_line_start(&request, REQUEST_FETCH);
    request_line_add(&request, NULL, name);
    if (connection_send(client, &request, span_of(""), &problem) != 0) {
        message_say("%s", words);
        return -1;
    }
    if (!is_still_wanted(client))
        return -1;
    connection_read(client, &reply);
    if (reply.kind == REPLY_OK)
        return connection_take_passed_fd(client);
    sentence = "the daemon ended the connection";
    if (reply.kind == REPLY_ERROR)
        (void)connection_error(&reply, &sentence);
    message_say("%s", sentence);
    return -1;
}

static int run(const char *socket, const char *name)
{
    struct dial dial = {.socket = socket};
    struct relay_ends ends = {STDIN_FILENO, STDOUT_FILENO, -1};
    char words[500];
    struct text problem;
    struct connection *client;
    int code;

    text_start(&problem, words, sizeof words);
    client = connection_open(&dial, &code, &problem);
    if (client == NULL) {
        message_say("%s", words);
        return code;
    }
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
