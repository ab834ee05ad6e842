/* `referee queue` shows what the daemon has: jobs, bots, itself; and for one job its progress, its tables
 * and its logs. Blocks that are tables already are printed as they come; lists and replies of one line are
 * shown for people, or as JSON. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/client/list_print.h"
#include "cli/client/follow.h"

#include <stdio.h>

struct queue {
    struct dial dial;
    struct connection *client;
    const char *job; /* or NULL */
    const char *format;
    const char *log;
    bool is_all, is_bots, is_status, is_json;
};

static const struct option_row rows[] = {
    {DIAL_OPTIONS(struct queue, dial)},
    {"--all", NULL, "also list the jobs that are over", OPTION_FLAG(struct queue, is_all)},
    {"--bots", NULL, "list the bots instead of the jobs", OPTION_FLAG(struct queue, is_bots)},
    {"--status", NULL, "show the state of the daemon itself", OPTION_FLAG(struct queue, is_status)},
    {"--format", "FORM", "print the result of JOB: text, json, csv, cross, matches or html",
     OPTION_TEXT(struct queue, format)},
    {"--log", "BLOCK.MATCH", "print the log of that match of JOB, numbered as in `watch`",
     OPTION_TEXT(struct queue, log)},
    {"--json", NULL, "print one JSON document", OPTION_FLAG(struct queue, is_json)},
    {.name = NULL},
};

static const struct options options = {
    .command = "queue",
    .usage = "[OPTION...] [JOB]",
    .purpose = "Shows the jobs in the daemon's queue, or the progress and standings of one JOB.\n",
    .examples = "  referee queue\n"
                "  referee queue 17\n"
                "  referee queue 17 --format html >report.html\n"
                "  referee queue 17 --log 3.1 | referee replay /dev/stdin\n"
                "  referee queue --bots --json | jq '.[].name'\n",
    .rows = rows,
    .takes = "at most one JOB",
    .most = 1,
};

/* What goes together. */
static int check(const struct queue *queue)
{
    bool is_of_job = queue->format != NULL || queue->log != NULL;

    if (queue->job != NULL && follow_number(queue->job) == 0)
        return -1;
    if (is_of_job && queue->job == NULL)
        message_say("of which job? `referee queue --all` shows them");
    else if (queue->job != NULL && (queue->is_all || queue->is_bots || queue->is_status))
        message_say("--all, --bots and --status are not about one job");
    else if (is_of_job + queue->is_bots + queue->is_status + (queue->log && queue->format) > 1)
        message_say("one thing at a time: --bots, --status, --format or --log");
    else if (is_of_job && queue->is_json)
        message_say("--json is not for --log and --format; `--format json` has the standings so");
    else
        return 0;
    return -1;
}

static int print_block(struct queue *queue, const struct request_line *request)
{
    struct reply reply;
    int code = connection_ask(queue->client, request, span_of(""), &reply);

    if (code == CLI_FINE)
        fwrite(reply.block, 1, reply.length, stdout);
    return code;
}

static int show_log(struct queue *queue)
{
    struct request_line request;

    request_line_start(&request, REQUEST_LOG);
    request_line_add(&request, NULL, queue->job);
    request_line_add(&request, NULL, queue->log);
    return print_block(queue, &request);
}

static int show_result(struct queue *queue)
{
    struct request_line request;

    request_line_start(&request, REQUEST_RESULT);
    request_line_add(&request, NULL, queue->job);
    request_line_add(&request, "format", queue->format);
    return print_block(queue, &request);
}

static int show_status(struct queue *queue)
{
    struct request_line request;
    struct reply reply;
    int code;

    request_line_start(&request, REQUEST_STATUS);
    if (queue->job != NULL)
        request_line_add(&request, NULL, queue->job);
    code = connection_ask(queue->client, &request, span_of(""), &reply);
    if (code == CLI_FINE)
        list_print_status(stdout, &reply, queue->is_json);
    return code;
}

/* There may be none yet, which is no mistake here. */
static void show_standings(struct queue *queue)
{
    char words[100];
    struct text problem;
    struct request_line request;
    struct reply reply;

    text_start(&problem, words, sizeof words);
    request_line_start(&request, REQUEST_RESULT);
    request_line_add(&request, NULL, queue->job);
    request_line_add(&request, "format", "text");
    if (connection_send(queue->client, &request, span_of(""), &problem) != 0)
        return;
    connection_read(queue->client, &reply);
    if (reply.kind == REPLY_BLOCK)
        printf("\n%s", reply.block);
}

static int show_list(struct queue *queue)
{
    struct request_line request;
    struct reply reply;
    int code;

    request_line_start(&request, queue->is_bots ? REQUEST_BOTS : REQUEST_QUEUE);
    if (queue->is_all && !queue->is_bots)
        request_line_add(&request, "all", "yes");
    code = connection_ask(queue->client, &request, span_of(""), &reply);
    if (code == CLI_FINE)
        list_print_list(stdout, queue->is_bots ? LIST_PRINT_BOTS : LIST_PRINT_JOBS, reply.block,
                        queue->is_json);
    return code;
}

static int run(struct queue *queue)
{
    int code;

    if (queue->log != NULL)
        return show_log(queue);
    if (queue->format != NULL)
        return show_result(queue);
    if (queue->job == NULL && !queue->is_status)
        return show_list(queue);
    code = show_status(queue);
    if (code == CLI_FINE && queue->job != NULL && !queue->is_json)
        show_standings(queue);
    return code;
}

int cli_queue(int argc, char **argv)
{
    struct queue queue = {.job = NULL};
    int code;

    if (options_read(&options, argc, argv, &queue, &code) < 0)
        return code;
    queue.job = argv[1];
    if (check(&queue) != 0)
        return CLI_USAGE;
    queue.client = connection_begin(&queue.dial, &code);
    if (queue.client != NULL)
        code = run(&queue);
    connection_free(queue.client);
    return code;
}
