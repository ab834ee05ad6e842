/* `referee grades` prints the grades of one job, or of a season of several. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/client/connection.h"
#include "cli/client/follow.h"
#include "cli/options.h"

#include <stdint.h>
#include <stdio.h>

struct grades {
    struct dial dial;
    bool is_csv, is_json;
};

static const struct option_row rows[] = {
    {DIAL_OPTIONS(struct grades, dial)},
    {"--csv", NULL, "print CSV, for a spreadsheet", OPTION_FLAG(struct grades, is_csv)},
    {"--json", NULL, "print one JSON document", OPTION_FLAG(struct grades, is_json)},
    {.name = NULL},
};

static const struct options options = {
    .command = "grades",
    .usage = "[OPTION...] JOB...",
    .purpose = "Prints a grade per user, from jobs of a daemon that are over. In each job the best "
               "bot of\n"
               "a user counts; its points are the percentage of the other users that it is placed "
               "before,\n"
               "so the first one has 100 and the last one 0. Several jobs are a season: its points "
               "are the\n"
               "mean, and whoever was not in a job has 0 there. Only for organisers.\n",
    .examples = "  referee grades 17\n"
                "  referee grades --csv 3 7 17 >season.csv\n",
    .rows = rows,
    .takes = "the numbers of jobs, which `referee queue --all` shows",
    .least = 1,
    .most = SIZE_MAX,
};

/* All numbers in one word, "3,7,17". */
static int add_jobs(struct text *text, int count, char **argv)
{
    for (int i = 1; i <= count; i++) {
        if (follow_number(argv[i]) == 0)
            return CLI_USAGE;
        text_printf(text, "%s%s", i > 1 ? "," : "", argv[i]);
    }
    return CLI_FINE;
}

int cli_grades(int argc, char **argv)
{
    struct grades grades = {.is_csv = false};
    struct connection *client;
    struct request_line request;
    struct request_reply reply;
    char jobs[REQUEST_LINE_MAX];
    struct text text;
    int code;
    int count = options_read(&options, argc, argv, &grades, &code);

    if (count < 0)
        return code;
    text_start(&text, jobs, sizeof jobs);
    if (add_jobs(&text, count, argv) != CLI_FINE)
        return CLI_USAGE;
    if (grades.is_csv && grades.is_json) {
        message_say("use --csv or --json, not both");
        return CLI_USAGE;
    }
    request_line_start(&request, REQUEST_GRADES);
    request_line_add(&request, NULL, jobs);
    if (grades.is_csv || grades.is_json)
        request_line_add(&request, "format", grades.is_csv ? "csv" : "json");
    client = connection_begin(&grades.dial, &code);
    if (client == NULL)
        return code;
    code = connection_ask(client, &request, span_of(""), &reply);
    if (code == CLI_FINE)
        fputs(reply.block, stdout);
    connection_free(client);
    return code;
}
