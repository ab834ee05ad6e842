/* `referee ladder` shows the ladders of a daemon, or the ratings in one; after its deadline also
 * the table of its final. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/client/list_print.h"
#include "cli/options.h"

#include <stdint.h>
#include <stdio.h>

struct ladder_command {
    struct dial dial;
    const char *history; /* of this bot; or NULL */
    bool is_all, is_json;
};

static const struct option_row rows[] = {
    {DIAL_OPTIONS(struct ladder_command, dial)},
    {"--all", NULL, "also list older versions", OPTION_FLAG(struct ladder_command, is_all)},
    {"--history", "BOT", "list how this bot came to its ratings in the ladder NAME",
     OPTION_TEXT(struct ladder_command, history)},
    {"--json", NULL, "print one JSON document", OPTION_FLAG(struct ladder_command, is_json)},
    {.name = NULL},
};

static const struct options options = {
    .command = "ladder",
    .usage = "[OPTION...] [NAME]",
    .purpose =
        "Shows the ladders of a daemon, or the ratings in the ladder NAME: the ranks that each\n"
        "bot may have, its rating, and the 95 % interval of the rating. Names bots that may know\n"
        "the cards, with the matches that speak against them.\n",
    .examples = "  referee ladder\n"
                "  referee ladder club --all\n"
                "  referee ladder club --history mine\n"
                "  referee ladder club --json | jq '.[] | select(.ranks == \"1\").name'\n",
    .rows = rows,
    .takes = "at most one NAME",
    .most = 1,
};

static int ask(struct connection *client, const char *name, const struct ladder_command *command,
               struct request_reply *reply)
{
    struct request_line request;

    request_line_start(&request, REQUEST_LADDER);
    if (name != NULL)
        request_line_add(&request, NULL, name);
    if (command->is_all)
        request_line_add(&request, "all", "yes");
    if (command->history != NULL)
        request_line_add(&request, "history", command->history);
    return connection_ask(client, &request, span_of(""), reply);
}

/* The number after ` final=` in the line of a ladder; 0 if there is none. */
static long find_final(const char *block, const char *name)
{
    struct span rest = span_of(block);
    long number = 0;

    while (rest.start != NULL && rest.length > 0) {
        struct span line = span_cut(&rest, '\n');

        if (!span_is(span_cut_word(&line), name))
            continue;
        while (line.start != NULL && line.length > 0) {
            struct span value = span_cut_word(&line);
            struct span key = span_cut(&value, '=');

            if (span_is(key, "final"))
                (void)span_read_number(value, 0, UINT32_MAX, &number);
        }
    }
    return number;
}

/* The standings of the final, if it has begun. */
static int print_final(struct connection *client, const char *name)
{
    struct request_line request;
    struct request_reply reply;
    struct text problem;
    char sentence[100];
    long number;
    int code = ask(client, NULL, &(struct ladder_command){.is_all = false}, &reply);

    number = code == CLI_FINE ? find_final(reply.block, name) : 0;
    if (number == 0)
        return code;
    text_start(&problem, sentence, sizeof sentence);
    request_line_start(&request, REQUEST_RESULT);
    request_line_add_number(&request, NULL, (unsigned long)number);
    printf("\nThe final is job %ld.\n", number);
    if (connection_send(client, &request, span_of(""), &problem) == 0)
        connection_read(client, &reply);
    if (reply.kind == REQUEST_REPLY_BLOCK)
        printf("\n%s", reply.block);
    return CLI_FINE;
}

int cli_ladder(int argc, char **argv)
{
    struct ladder_command command = {.is_all = false};
    enum list_print_kind kind;
    struct connection *client;
    struct request_reply reply;
    int code;

    if (options_read(&options, argc, argv, &command, &code) < 0)
        return code;
    if (command.history != NULL && (argv[1] == NULL || command.is_all)) {
        message_say(argv[1] == NULL ? "--history goes with the NAME of a ladder"
                                    : "--history lists all versions of the bot: leave out --all");
        return CLI_USAGE;
    }
    client = connection_begin(&command.dial, &code);
    if (client == NULL)
        return code;
    kind = command.history != NULL ? LIST_PRINT_LADDER_HISTORY
           : argv[1] != NULL       ? LIST_PRINT_LADDER
                                   : LIST_PRINT_LADDERS;
    code = ask(client, argv[1], &command, &reply);
    if (code == CLI_FINE)
        list_print(stdout, kind, reply.block, command.is_json);
    if (code == CLI_FINE && kind == LIST_PRINT_LADDER && !command.is_json) {
        list_print_suspects(stdout, reply.block);
        code = print_final(client, argv[1]);
    }
    connection_free(client);
    return code;
}
