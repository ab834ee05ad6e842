/* A job that is over reports so in the first event to a client that starts to watch it, so nobody
 * waits in vain. Each line is written at once: people look at it, and programs read it. */

#include "cli/client/follow.h"

#include "base/message.h"
#include "cli/cli.h"
#include "cli/client/event_text.h"

#define JOB_MAX 1000000000
#define SENTENCE_BYTES 8192

/* An event of an unknown kind is printed as it is. */
static void print_event(FILE *file, const char *line, const struct feed_line *event)
{
    char sentence[SENTENCE_BYTES];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    if (event == NULL)
        text_add(&text, line);
    else
        event_text(&text, event);
    if (text.length == 0)
        return;
    fprintf(file, "%s\n", sentence);
    (void)fflush(file);
}

static int report_loss(long job, bool is_ending)
{
    if (job == 0 && is_ending)
        return CLI_FINE;
    if (job == 0)
        message_say("the daemon closed the connection");
    else
        message_say("the daemon closed the connection; `referee queue %ld` shows the job", job);
    return CLI_FAILED;
}

static int follow(struct connection *client, long job, bool is_raw, FILE *file)
{
    bool has_fault = false, is_ending = false;
    struct request_reply reply;

    for (;;) {
        struct feed_line event;
        bool is_known;

        connection_read(client, &reply);
        if (reply.kind != REQUEST_REPLY_EVENT)
            return report_loss(job, is_ending);
        is_known = feed_line_read_event(&event, span_of(reply.text)) == 0;
        print_event(file, reply.text, is_known && !is_raw ? &event : NULL);
        if (ferror(file))
            return CLI_FAILED;
        is_ending |= is_known && event.kind == FEED_LINE_ENDING;
        if (!is_known || job == 0 || event.job != job)
            continue;
        has_fault |= event_text_has_fault(&event);
        if (event.kind == FEED_LINE_OVER && !span_is(event.state, "done"))
            return CLI_FAILED;
        if (event.kind == FEED_LINE_OVER)
            return has_fault ? CLI_BOT_FAULT : CLI_FINE;
    }
}

int follow_run(struct connection *client, long job, bool is_raw, FILE *file)
{
    struct request_line request;
    struct request_reply reply;
    int code;

    request_line_start(&request, REQUEST_WATCH);
    if (job > 0)
        request_line_add_number(&request, NULL, (unsigned long)job);
    code = connection_ask(client, &request, span_of(""), &reply);
    return code == CLI_FINE ? follow(client, job, is_raw, file) : code;
}

long follow_number(const char *text)
{
    long number = 0;

    if (span_read_number(span_of(text), 1, JOB_MAX, &number) != 0)
        message_say("a job is a number, as `referee queue` shows it, not `%s`", text);
    return number;
}
