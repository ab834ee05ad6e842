/* A work that is over when one begins to watch tells so as its first event, so nothing is waited for in
 * vain. Each line is written at once: people look at it, and programs read it. */

#include "cli/client/follow.h"

#include "base/message.h"
#include "cli/cli.h"
#include "cli/client/event_text.h"

#define WORK_MAX 1000000000
#define SENTENCE_BYTES 8192

static void print_event(FILE *file, const char *event, bool is_raw)
{
    char sentence[SENTENCE_BYTES];
    struct text words;

    text_start(&words, sentence, sizeof sentence);
    if (is_raw)
        text_add(&words, event);
    else
        event_text(&words, event);
    if (words.length == 0)
        return;
    fprintf(file, "%s\n", sentence);
    (void)fflush(file);
}

static int tell_loss(long job, bool is_ending)
{
    if (job == 0 && is_ending)
        return CLI_FINE;
    if (job == 0)
        message_say("the daemon ended the connection");
    else
        message_say("the daemon ended the connection; `referee queue %ld` tells how it goes on",
                    job);
    return CLI_FAILED;
}

static int follow(struct connection *client, long job, bool is_raw, FILE *file)
{
    bool has_fault = false, is_ending = false;
    struct reply reply;

    for (;;) {
        connection_read(client, &reply);
        if (reply.kind != REPLY_EVENT)
            return tell_loss(job, is_ending);
        print_event(file, reply.words, is_raw);
        if (ferror(file))
            return CLI_FAILED;
        is_ending |= strcmp(reply.words, "0 ending") == 0;
        if (job == 0 || event_text_job(reply.words) != job)
            continue;
        has_fault |= event_text_has_fault(reply.words);
        if (event_text_end(reply.words) == EVENT_TEXT_NOT_DONE)
            return CLI_FAILED;
        if (event_text_end(reply.words) == EVENT_TEXT_DONE)
            return has_fault ? CLI_BOT_FAULT : CLI_FINE;
    }
}

int follow_run(struct connection *client, long job, bool is_raw, FILE *file)
{
    struct request request;
    struct reply reply;
    int code;

    request_start(&request, "watch");
    if (job > 0)
        request_add_number(&request, NULL, (unsigned long)job);
    code = connection_ask(client, &request, span_of(""), &reply);
    return code == CLI_FINE ? follow(client, job, is_raw, file) : code;
}

long follow_number(const char *words)
{
    long number = 0;

    if (span_read_number(span_of(words), 1, WORK_MAX, &number) != 0)
        message_say("a work is a number as `referee queue` shows it, not `%s`", words);
    return number;
}
