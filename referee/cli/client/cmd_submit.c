/* `referee submit` sends bots, matches and tournaments to the daemon. */

#include "cli/client/cmd_submit.h"

#include "base/memory.h"
#include "base/message.h"
#include "cli/client/follow.h"
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const struct {
    const char *name;
    cli_command_fn *run;
} kinds[] = {
    {"bot", submit_bot},
    {"match", submit_match},
    {"tournament", submit_tournament},
};

static const struct options options = {
    .command = "submit",
    .usage = "bot|match|tournament ...",
    .purpose = "Submits something to the daemon (`referee serve`):\n"
               "  bot          a bot, or a new version of it: `submit bot NAME FILE`\n"
               "  match        a match: `submit match BOT BOT...`\n"
               "  tournament   a tournament: `submit tournament FILE`\n"
               "See `referee submit bot --help` and so on.\n",
    .examples = "  referee submit bot anna bot.py\n"
                "  referee submit match anna bert --rounds 4 --wait\n"
                "  referee submit tournament cup.json\n",
    .takes = "bot, match or tournament",
};

/* The help of all kinds, for manuals. */
static void describe_kinds(void)
{
    char option[] = "--help";

    for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
        char name[20];
        char *argv[] = {name, option, NULL};

        snprintf(name, sizeof name, "%s", kinds[i].name);
        (void)kinds[i].run(2, argv);
    }
}

int cli_submit(int argc, char **argv)
{
    int code;

    for (size_t i = 0; argc >= 2 && i < ARRAY_LEN(kinds); i++) {
        if (strcmp(argv[1], kinds[i].name) == 0)
            return kinds[i].run(argc - 1, argv + 1);
    }
    if (argc >= 2 && argv[1][0] != '-') {
        message_say("submit takes bot, match or tournament, not `%s`", argv[1]);
        return CLI_USAGE;
    }
    if (options_read(&options, argc, argv, NULL, &code) == 0) {
        message_say("submit takes bot, match or tournament; see `referee submit --help`");
        code = CLI_USAGE;
    } else if (code == CLI_FINE && options_are_described()) {
        describe_kinds();
    }
    return code;
}

/* A job. */

static int print_result(struct connection *client, long job, bool is_json)
{
    struct request_line request;
    struct request_reply reply;
    int code;

    request_line_start(&request, REQUEST_RESULT);
    request_line_add_number(&request, NULL, (unsigned long)job);
    request_line_add(&request, "format", is_json ? "json" : "text");
    code = connection_ask(client, &request, span_of(""), &reply);
    if (code == CLI_FINE)
        fwrite(reply.block, 1, reply.length, stdout);
    return code;
}

static int await_job(struct connection *client, long job, bool is_json)
{
    struct request_line request;
    struct request_reply reply;
    int code = follow_run(client, job, false, stderr);
    int result;

    if (code != CLI_FINE && code != CLI_BOT_FAULT)
        return code;
    request_line_start(&request, REQUEST_WATCH);
    request_line_add(&request, NULL, "off");
    result = connection_ask(client, &request, span_of(""), &reply);
    if (result == CLI_FINE)
        result = print_result(client, job, is_json);
    return result != CLI_FINE ? result : code;
}

static int submit(struct connection *client, struct submission *submission)
{
    char digits[24];
    struct text number;
    struct request_reply reply;
    long job;
    int code = connection_ask(client, &submission->request, submission->block, &reply);

    if (code != CLI_FINE)
        return code;
    text_start(&number, digits, sizeof digits);
    request_reply_find(&reply, "job", &number);
    job = follow_number(digits);
    if (job == 0)
        return CLI_FAILED;
    if (submission->is_waiting) {
        message_say("job %ld; it continues if you stop waiting", job);
        return await_job(client, job, submission->is_json);
    }
    printf(submission->is_json ? "{\"job\": %ld}\n" : "job %ld\n", job);
    return CLI_FINE;
}

int submit_job(struct submission *submission)
{
    int code;
    struct connection *client = connection_begin(&submission->dial, &code);

    if (client != NULL)
        code = submit(client, submission);
    connection_free(client);
    return code;
}

/* Files. */

char *submit_read_file(const char *path, size_t most, size_t *length)
{
    FILE *file = fopen(path, "re");
    struct stat status;
    char *bytes = NULL;

    if (file == NULL || fstat(fileno(file), &status) != 0) {
        message_say("cannot read %s: %s", path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        message_say("%s is not a file", path);
    } else if ((size_t)status.st_size > most) {
        message_say("%s is too large for the daemon: at most %zu KiB", path, most >> 10);
    } else {
        bytes = xcalloc((size_t)status.st_size + 1, 1);
        *length = fread(bytes, 1, (size_t)status.st_size, file);
    }
    if (file != NULL)
        fclose(file);
    return bytes;
}
