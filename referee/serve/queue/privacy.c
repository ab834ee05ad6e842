/* Who may read what of a job. Results and logs are for everybody; what a bot wrote to stderr, which
 * may show its author's code, is for its author, organisers and the owner. A fault in a log has the
 * end of it: for all others that text is empty, and the last line has the hash of what is left, so
 * that what they get is a valid log, too. */

#include "serve/queue/queue_private.h"
#include "game/allegra.h"
#include "wire/json_read.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ALL_SEATS ((1U << ALLEGRA_SEATS_MAX) - 1)
#define KEY "\"stderr\":\""
#define END_KEY "{\"sha256\":\""

bool caller_is_organiser(const struct caller *caller)
{
    return caller->is_owner || caller->is_organiser;
}

bool queue_may_see_bot(const struct caller *caller, const struct ledger_bot *bot)
{
    return caller_is_organiser(caller) || (bot != NULL && strcmp(bot->user, caller->user) == 0);
}

/* A program that only the tournament file names is its owner's. */
static bool may_see_player(const struct queue *queue, const struct caller *caller,
                           const struct job *job, const char *player)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        if (strcmp(ledger_player(queue->ledger, job, i), player) == 0)
            return queue_may_see_bot(caller, ledger_bot(queue->ledger, job->bots[i].place));
    }
    return queue_may_see_bot(caller, NULL);
}

/* Which seats of a log the caller may not see, as bits; and, in `seat`, where a player sits, if it
 * is there. Both are in the first line. A file that is no log shows nothing to nobody. */
static unsigned find_hidden_seats(const struct queue *queue, const struct caller *caller,
                                  const struct log_name *name, struct span line, unsigned *seat)
{
    const struct job *job = ledger_job(queue->ledger, name->job);
    struct json_document *document = json_document_new();
    char words[200];
    struct text problem;
    const struct json_node *bots, *bot;
    unsigned hidden = ALL_SEATS, count = 0;

    text_start(&problem, words, sizeof words);
    bots = json_member(json_read(document, line.start, line.length, &problem), "bots");
    for (bot = json_first(bots); bot != NULL && count < ALLEGRA_SEATS_MAX;
         bot = json_next(bots, bot), count++) {
        const char *player = json_member_text(bot, "name", "");

        if (may_see_player(queue, caller, job, player))
            hidden &= ~(1U << count);
        if (name->player != NULL && strcmp(name->player, player) == 0)
            *seat = count;
    }
    json_document_free(document);
    return hidden;
}

/* A log that is being copied. */
struct copy {
    FILE *from, *to;
    char *line;
    size_t capacity;
    unsigned hidden; /* seats, as bits */
    bool is_changed;
    crypto_hash_sha256_state hash;
};

static void put(struct copy *copy, const char *bytes, size_t length)
{
    (void)fwrite(bytes, 1, length, copy->to);
    crypto_hash_sha256_update(&copy->hash, (const unsigned char *)bytes, length);
}

/* Where the text of a fault's stderr begins, if its seat is hidden. In JSON a quote within a text
 * has a backslash before it, so the key cannot be found in one. */
static char *find_hidden(const struct copy *copy)
{
    const char *seat = strstr(copy->line, "\"seat\":");
    char *found = strstr(copy->line, KEY);

    if (strstr(copy->line, "\"fault\":\"") == NULL || seat == NULL || found == NULL)
        return NULL;
    seat += strlen("\"seat\":");
    if (*seat >= '0' && *seat < '0' + ALLEGRA_SEATS_MAX && (copy->hidden >> (*seat - '0') & 1) == 0)
        return NULL;
    return found + strlen(KEY);
}

static void put_line(struct copy *copy, size_t length)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    char hex[2 * sizeof hash + 1];
    char *text = find_hidden(copy);
    char *end = text;

    if (text != NULL) {
        while (*end != '\0' && *end != '"')
            end += *end == '\\' && end[1] != '\0' ? 2 : 1;
        copy->is_changed = copy->is_changed || end != text;
        put(copy, copy->line, (size_t)(text - copy->line));
        put(copy, end, length - (size_t)(end - copy->line));
    } else if (copy->is_changed && strncmp(copy->line, END_KEY, strlen(END_KEY)) == 0) {
        crypto_hash_sha256_final(&copy->hash, hash);
        sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
        (void)fprintf(copy->to, END_KEY "%s\"}\n", hex);
    } else {
        put(copy, copy->line, length);
    }
}

/* Copies all lines; the first says which seats are hidden. Returns -1 if it cannot be read or
 * written. */
static int copy_lines(struct copy *copy, const struct queue *queue, const struct caller *caller,
                      const struct log_name *name)
{
    unsigned seat = 0;
    ssize_t length = getline(&copy->line, &copy->capacity, copy->from);

    crypto_hash_sha256_init(&copy->hash);
    if (length > 0)
        copy->hidden = find_hidden_seats(queue, caller, name,
                                         (struct span){copy->line, (size_t)length}, &seat);
    for (; length > 0; length = getline(&copy->line, &copy->capacity, copy->from))
        put_line(copy, (size_t)length);
    return ferror(copy->from) || fflush(copy->to) != 0 ? -1 : 0;
}

int privacy_hide_stderr(const struct queue *queue, const struct caller *caller,
                        const struct log_name *name, int fd, size_t *length)
{
    int copied = memfd_create("log", MFD_CLOEXEC);
    int other = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    struct copy copy = {.from = other >= 0 ? fdopen(other, "r") : NULL,
                        .to = copied >= 0 ? fdopen(copied, "w") : NULL};
    int result = -1;

    if (copy.from != NULL && copy.to != NULL && copy_lines(&copy, queue, caller, name) == 0)
        result = fcntl(copy.is_changed ? copied : fd, F_DUPFD_CLOEXEC, 0);
    if (result >= 0 && copy.is_changed)
        *length = (size_t)ftello(copy.to);
    if (result >= 0)
        (void)lseek(result, 0, SEEK_SET);
    if (copy.from != NULL)
        fclose(copy.from);
    else if (other >= 0)
        close(other);
    if (copy.to != NULL)
        fclose(copy.to);
    else if (copied >= 0)
        close(copied);
    free(copy.line);
    close(fd);
    return result;
}

int privacy_find_seat(const struct queue *queue, const struct caller *caller,
                      const struct log_name *name, int fd, struct request_error *error)
{
    FILE *file = fdopen(fd, "r");
    char *line = NULL;
    size_t capacity = 0;
    unsigned seat = ALLEGRA_SEATS_MAX, hidden = ALL_SEATS;
    ssize_t length = file != NULL ? getline(&line, &capacity, file) : -1;

    if (length > 0)
        hidden = find_hidden_seats(queue, caller, name, (struct span){line, (size_t)length}, &seat);
    free(line);
    if (file != NULL)
        fclose(file);
    else
        close(fd);
    if (seat == ALLEGRA_SEATS_MAX)
        return request_error_set(error, REQUEST_ERROR_NO_BOT, "%.40s does not play in that match",
                                 name->player);
    if ((hidden >> seat & 1) == 0)
        return (int)seat;
    return request_error_set(error, REQUEST_ERROR_FORBIDDEN,
                             "what a bot writes to stderr is only for its author");
}
