/* A work that is over when one begins to watch tells so as its first event, so nothing is waited for in
 * vain. Each line is written at once: people look at it, and programs read it. */

#include "cli/watching.h"

#include "base/message.h"
#include "cli/command.h"
#include "cli/event_words.h"

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
        event_words(&words, event);
    if (words.length == 0)
        return;
    fprintf(file, "%s\n", sentence);
    (void)fflush(file);
}

static int tell_loss(long work, bool is_ending)
{
    if (work == 0 && is_ending)
        return CLI_FINE;
    if (work == 0)
        message_say("the daemon ended the connection");
    else
        message_say("the daemon ended the connection; `referee queue %ld` tells how it goes on",
                    work);
    return CLI_FAILED;
}

static int follow(struct line_client *client, long work, bool is_raw, FILE *file)
{
    bool has_fault = false, is_ending = false;
    struct reply reply;

    for (;;) {
        line_client_read(client, &reply);
        if (reply.kind != REPLY_EVENT)
            return tell_loss(work, is_ending);
        print_event(file, reply.words, is_raw);
        if (ferror(file))
            return CLI_FAILED;
        is_ending |= strcmp(reply.words, "0 ending") == 0;
        if (work == 0 || event_work(reply.words) != work)
            continue;
        has_fault |= event_has_fault(reply.words);
        if (event_end(reply.words) == EVENT_NOT_DONE)
            return CLI_FAILED;
        if (event_end(reply.words) == EVENT_DONE)
            return has_fault ? CLI_BOT_FAULT : CLI_FINE;
    }
}

int watching_run(struct line_client *client, long work, bool is_raw, FILE *file)
{
    struct request request;
    struct reply reply;
    int code;

    request_start(&request, "watch");
    if (work > 0)
        request_add_number(&request, NULL, (unsigned long)work);
    code = line_client_ask(client, &request, span_of(""), &reply);
    return code == CLI_FINE ? follow(client, work, is_raw, file) : code;
}

long watching_number(const char *words)
{
    long number = 0;

    if (span_read_number(span_of(words), 1, WORK_MAX, &number) != 0)
        message_say("a work is a number as `referee queue` shows it, not `%s`", words);
    return number;
}
