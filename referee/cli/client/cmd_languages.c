/* `referee languages` lists the languages for bots that the daemon's machine has. */

#include "cli/cli.h"
#include "cli/client/list_print.h"
#include "cli/options.h"

#include <stdio.h>

struct languages_command {
    struct dial dial;
    bool is_json;
};

static const struct option_row rows[] = {
    {DIAL_OPTIONS(struct languages_command, dial)},
    {"--json", NULL, "print one JSON document", OPTION_FLAG(struct languages_command, is_json)},
    {.name = NULL},
};

static const struct options options = {
    .command = "languages",
    .usage = "[OPTION...]",
    .purpose = "Lists languages for bots, whether the daemon's machine has them, and for each a\n"
               "FILE, a --command and a --build for `referee submit bot`.\n",
    .examples = "  referee languages\n"
                "  referee languages --connect example.org:7433 --json\n",
    .rows = rows,
    .takes = "no arguments",
};

int cli_languages(int argc, char **argv)
{
    struct languages_command languages = {.is_json = false};
    struct request_line request;
    struct request_reply reply;
    struct connection *client;
    int code;

    if (options_read(&options, argc, argv, &languages, &code) < 0)
        return code;
    request_line_start(&request, REQUEST_LANGUAGES);
    client = connection_begin(&languages.dial, &code);
    if (client != NULL)
        code = connection_ask(client, &request, span_of(""), &reply);
    if (client != NULL && code == CLI_FINE)
        list_print(stdout, LIST_PRINT_LANGUAGES, reply.block, languages.is_json);
    connection_free(client);
    return code;
}
