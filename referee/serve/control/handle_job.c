/* Requests about works that are there: watching, cancelling, reading what came out. */

#include "serve/control_private.h"

#include <string.h>

/* Watching. */

static void on_event(void *context, unsigned work, const char *line)
{
    (void)work;
    client_tell(context, line);
}

/* Tells how a work stands, in the words in which it was told when that happened. */
static void tell_state(struct client *client, const struct work *work)
{
    char line[REQUEST_LINE_MAX];
    struct text text;

    text_start(&text, line, sizeof line);
    text_add_number(&text, work->number);
    if (work->state == WORK_QUEUED) {
        text_add(&text, " queued ");
        text_add(&text, work->user);
        text_add_char(&text, ' ');
        text_add(&text, work->title);
    } else if (work->state == WORK_PLAYING) {
        text_add(&text, " playing");
    } else {
        text_add(&text, " over ");
        text_add(&text, work_state_name(work->state));
        text_add_char(&text, ' ');
        text_add(&text, work->words);
    }
    client_tell(client, line);
}

static void tell_progress(struct client *client, const struct work *work)
{
    char line[100];
    struct text text;

    text_start(&text, line, sizeof line);
    text_add_number(&text, work->number);
    text_add(&text, " begin ");
    text_add_number(&text, (long)work->decided);
    text_add_char(&text, ' ');
    text_add_number(&text, (long)work->matches);
    client_tell(client, line);
}

static void stop_watching(struct client *client)
{
    hub_leave(client->watcher);
    client->watcher = NULL;
}

int verb_watch(struct client *client, struct denial *denial)
{
    struct office *office = client->control->setup.office;
    const char *word = client->request.word_count > 0 ? client->request.words[0] : NULL;
    unsigned number = 0;

    if (word != NULL && strcmp(word, "off") != 0 && (number = verb_work(client, word, denial)) == 0)
        return -1;
    stop_watching(client);
    client_ok(client, "%s", "");
    if (word != NULL && number == 0)
        return 0;
    client->watcher = hub_join(office_hub(office), number, on_event, client);
    if (number > 0)
        tell_state(client, ledger_work(office_ledger(office), number));
    if (number > 0 && ledger_work(office_ledger(office), number)->state == WORK_PLAYING)
        tell_progress(client, ledger_work(office_ledger(office), number));
    return 0;
}

/* The rest. */

int verb_cancel(struct client *client, struct denial *denial)
{
    struct caller caller = client_caller(client);
    unsigned number = verb_work(client, client->request.words[0], denial);

    if (number == 0 || office_cancel(client->control->setup.office, &caller, number, denial) != 0)
        return -1;
    client_ok(client, "%s", "");
    return 0;
}

static int find_paper(const char *name, struct denial *denial)
{
    for (int i = 0; i < OFFICE_PAPER_COUNT; i++) {
        if (strcmp(name, office_paper_names[i]) == 0)
            return i;
    }
    return deny(denial, DENIAL_VALUE,
                "format takes text, json, csv, cross, matches or html, not \"%.40s\"", name);
}

int verb_result(struct client *client, struct denial *denial)
{
    const char *format = request_text(&client->request, "format");
    int paper = format == NULL ? OFFICE_TEXT : find_paper(format, denial);
    unsigned number = paper < 0 ? 0 : verb_work(client, client->request.words[0], denial);
    size_t length;
    int fd;

    if (number == 0)
        return -1;
    fd = office_open_paper(client->control->setup.office, number, (enum office_paper)paper, &length,
                           denial);
    if (fd < 0)
        return -1;
    client_send_file(client, fd, length);
    return 0;
}

/* Reads "BLOCK.MATCH" into two numbers. */
static int read_match(const char *word, long numbers[2], struct denial *denial)
{
    struct span rest = span_of(word);
    struct span first = span_cut(&rest, '.');

    if (rest.start != NULL && span_read_number(first, 0, INT32_MAX, &numbers[0]) == 0 &&
        span_read_number(rest, 1, INT32_MAX, &numbers[1]) == 0)
        return 0;
    return deny(denial, DENIAL_VALUE, "a match is BLOCK.MATCH, like 3.1, not \"%.40s\"", word);
}

int verb_log(struct client *client, struct denial *denial)
{
    unsigned number = verb_work(client, client->request.words[0], denial);
    long match[2] = {0, 0};
    size_t length;
    int fd;

    if (number == 0 || read_match(client->request.words[1], match, denial) != 0)
        return -1;
    fd = office_open_log(client->control->setup.office, number, (unsigned)match[0],
                         (unsigned)match[1], &length, denial);
    if (fd < 0)
        return -1;
    client_send_file(client, fd, length);
    return 0;
}
