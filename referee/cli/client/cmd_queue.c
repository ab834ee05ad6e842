/* `referee queue` shows what the daemon has: jobs, bots, itself; and for one job its progress, its
 * tables and its logs. Artifacts and logs are printed as they are; lists and states are printed for
 * people, or as JSON. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/client/list_print.h"
#include "cli/client/follow.h"

#include <stdio.h>

struct queue_command {
    struct dial dial;
    struct connection *client;
    const char *job; /* or NULL */
    const char *format;
    const char *log;
    bool is_all, is_bots, is_status, is_json;
};

static const struct option_row rows[] = {
    {DIAL_OPTIONS(struct queue_command, dial)},
    {"--all", NULL, "also list the jobs that are over", OPTION_FLAG(struct queue_command, is_all)},
    {"--bots", NULL, "list the bots instead of the jobs",
     OPTION_FLAG(struct queue_command, is_bots)},
    {"--status", NULL, "show the state of the daemon itself",
     OPTION_FLAG(struct queue_command, is_status)},
    {"--format", "FORM", "print the result of JOB: text, json, csv, cross, matches or html",
     OPTION_TEXT(struct queue_command, format)},
    {"--log", "BLOCK.MATCH", "print the log of that match of JOB, numbered as in `watch`",
     OPTION_TEXT(struct queue_command, log)},
    {"--json", NULL, "print one JSON document", OPTION_FLAG(struct queue_command, is_json)},
    {.name = NULL},
};

static const struct options options = {
    .command = "queue",
    .usage = "[OPTION...] [JOB]",
    .purpose = "Shows the jobs in the daemon's queue, or the progress and standings of one JOB.\n",
    .examples = "  referee queue\n"
                "  referee queue 17\n"
                "  referee queue 17 --format html >report.html\n"
                "  referee queue 17 --log 3.1 > match.ndjson    # for `referee replay`\n"
                "  referee queue --bots --json | jq '.[].name'\n",
    .rows = rows,
    .takes = "at most one JOB",
    .most = 1,
};

/* Whether the options go together. */
static int check(const struct queue_command *queue)
{
    bool is_of_job = queue->format != NULL || queue->log != NULL;

    if (queue->job != NULL && follow_number(queue->job) == 0)
        return -1;
    if (is_of_job && queue->job == NULL)
        message_say("which job? `referee queue --all` lists them");
    else if (queue->job != NULL && (queue->is_all || queue->is_bots || queue->is_status))
        message_say("--all, --bots and --status do not go with a JOB");
    else if (is_of_job + queue->is_bots + queue->is_status + (queue->log && queue->format) > 1)
        message_say("only one of --bots, --status, --format and --log is possible");
    else if (is_of_job && queue->is_json)
        message_say("--json does not go with --log and --format; try `--format json`");
    else
        return 0;
    return -1;
}

/* Asks for a result or a log, and prints it. */
static int print_file(const struct queue_command *queue)
{
    struct request_line request;
    struct request_reply reply;
    int code;

    request_line_start(&request, queue->log != NULL ? REQUEST_LOG : REQUEST_RESULT);
    request_line_add(&request, NULL, queue->job);
    if (queue->log != NULL)
        request_line_add(&request, NULL, queue->log);
    else
        request_line_add(&request, "format", queue->format);
    code = connection_ask(queue->client, &request, span_of(""), &reply);
    if (code == CLI_FINE)
        fwrite(reply.block, 1, reply.length, stdout);
    return code;
}

static int print_list(const struct queue_command *queue)
{
    struct request_line request;
    struct request_reply reply;
    int code;

    request_line_start(&request, queue->is_bots ? REQUEST_BOTS : REQUEST_QUEUE);
    if (queue->is_all && !queue->is_bots)
        request_line_add(&request, "all", "yes");
    code = connection_ask(queue->client, &request, span_of(""), &reply);
    if (code == CLI_FINE)
        list_print(stdout, queue->is_bots ? LIST_PRINT_BOTS : LIST_PRINT_JOBS, reply.block,
                   queue->is_json);
    return code;
}

/* The state of the daemon, or of a job with its standings, which may be missing. */
static int print_state(const struct queue_command *queue)
{
    struct request_line request;
    struct request_reply reply;
    struct text problem;
    char sentence[100];
    int code;

    request_line_start(&request, REQUEST_STATUS);
    if (queue->job != NULL)
        request_line_add(&request, NULL, queue->job);
    code = connection_ask(queue->client, &request, span_of(""), &reply);
    if (code != CLI_FINE)
        return code;
    list_print_reply(stdout, &reply, queue->is_json);
    if (queue->job == NULL || queue->is_json)
        return CLI_FINE;
    text_start(&problem, sentence, sizeof sentence);
    request_line_start(&request, REQUEST_RESULT);
    request_line_add(&request, NULL, queue->job);
    if (connection_send(queue->client, &request, span_of(""), &problem) == 0)
        connection_read(queue->client, &reply);
    if (reply.kind == REQUEST_REPLY_BLOCK)
        printf("\n%s", reply.block);
    return CLI_FINE;
}

int cli_queue(int argc, char **argv)
{
    struct queue_command queue = {.job = NULL};
    int code;

    if (options_read(&options, argc, argv, &queue, &code) < 0)
        return code;
    queue.job = argv[1];
    if (check(&queue) != 0)
        return CLI_USAGE;
    queue.client = connection_begin(&queue.dial, &code);
    if (queue.client != NULL)
        code = queue.log != NULL || queue.format != NULL ? print_file(&queue)
               : queue.job == NULL && !queue.is_status   ? print_list(&queue)
                                                         : print_state(&queue);
    connection_free(queue.client);
    return code;
}
