/* Each line ends in `,"sum":"…"}`, the BLAKE2b hash of the sum of the line before and of all bytes
 * of this one up to the comma. So a line that is missing, changed or out of place is found.
 *
 * After a failed write or sync the file is cut to the length that is known to be good, because what
 * follows it is not known. */

#include "tournament/store/journal.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUM_BYTES 16 /* the minimum of the hash function */
#define SUM_HEX (2 * SUM_BYTES + 1)
#define KEY ",\"sum\":\""
#define TAIL_LENGTH (sizeof KEY - 1 + SUM_HEX - 1 + 2) /* the key, the sum, `"}` */

struct journal {
    int fd;
    off_t length;              /* of the file, as far as it is good */
    char sum[SUM_HEX];         /* of the last line */
    char written_sum[SUM_HEX]; /* of the last line that is written */
    char *waiting;
    size_t waiting_length;
    size_t waiting_capacity;
    size_t dropped;
    bool is_torn; /* there may be bytes after `length` to cut off */
};

/* The sum of a line from the one before and its bytes up to the comma. */
static void next_sum(const char *before, const char *bytes, size_t length, char sum[SUM_HEX])
{
    crypto_generichash_state state;
    unsigned char hash[SUM_BYTES];

    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    crypto_generichash_update(&state, (const unsigned char *)before, strlen(before));
    crypto_generichash_update(&state, (const unsigned char *)bytes, length);
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(sum, SUM_HEX, hash, sizeof hash);
}

/* Whether a line has the right sum, which then becomes the journal's. */
static bool check_line(struct journal *journal, struct span line)
{
    char sum[SUM_HEX];
    const char *tail;

    if (line.length < TAIL_LENGTH)
        return false;
    tail = line.start + line.length - TAIL_LENGTH;
    next_sum(journal->sum, line.start, line.length - TAIL_LENGTH, sum);
    if (memcmp(tail, KEY, sizeof KEY - 1) != 0 ||
        memcmp(tail + sizeof KEY - 1, sum, sizeof sum - 1) != 0 ||
        memcmp(tail + TAIL_LENGTH - 2, "\"}", 2) != 0)
        return false;
    memcpy(journal->sum, sum, sizeof sum);
    return true;
}

/* Reads all complete lines. What is left at the end was cut off while it was written. */
static int read_lines(struct journal *journal, struct span rest, journal_take_fn *read_record,
                      void *context, struct text *problem)
{
    struct json_document *document = json_document_new();
    unsigned long number = 1;
    int result = 0;

    for (; rest.length > 0 && result == 0; number++) {
        const char *end = memchr(rest.start, '\n', rest.length);
        struct span line = {rest.start, end != NULL ? (size_t)(end - rest.start) : rest.length};
        bool is_last = end == NULL || line.length + 1 == rest.length;
        const struct json_node *record;

        if (end == NULL || !check_line(journal, line)) {
            if (is_last)
                break;
            text_printf(problem, "line %lu: wrong checksum: this line or one before it was changed",
                        number);
            result = -1;
            break;
        }
        record = json_read(document, line.start, line.length, problem);
        result = record != NULL ? read_record(context, record, problem) : -1;
        rest.start += line.length + 1;
        rest.length -= line.length + 1;
        journal->length += (off_t)line.length + 1;
    }
    journal->dropped = result == 0 ? rest.length : 0;
    json_document_free(document);
    return result;
}

static char *read_file(int fd, size_t *length)
{
    struct stat status;
    char *bytes;
    size_t done = 0;

    if (fstat(fd, &status) != 0)
        return NULL;
    *length = (size_t)status.st_size;
    bytes = xcalloc(*length + 1, 1);
    while (done < *length) {
        ssize_t got = pread(fd, bytes + done, *length - done, (off_t)done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    *length = done;
    return bytes;
}

static int cut_file(struct journal *journal)
{
    if (!journal->is_torn)
        return 0;
    if (ftruncate(journal->fd, journal->length) != 0)
        return -1;
    journal->is_torn = false;
    return 0;
}

struct journal *journal_open(const char *path, bool is_read_only, journal_take_fn *read_record,
                             void *context, struct text *problem)
{
    struct journal *journal = xcalloc(1, sizeof *journal);
    char *bytes = NULL;
    size_t length = 0;
    int result = -1;

    journal->fd =
        open(path, is_read_only ? O_RDONLY | O_CLOEXEC : O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (journal->fd >= 0)
        bytes = read_file(journal->fd, &length);
    if (bytes == NULL)
        text_add(problem, strerror(errno));
    else
        result = read_lines(journal, (struct span){bytes, length}, read_record, context, problem);
    free(bytes);
    if (result != 0) {
        journal_free(journal);
        return NULL;
    }
    memcpy(journal->written_sum, journal->sum, SUM_HEX);
    journal->is_torn = !is_read_only && journal->dropped > 0;
    /* If this fails, it is tried again before the next record is written. */
    (void)cut_file(journal);
    return journal;
}

void journal_free(struct journal *journal)
{
    if (journal == NULL)
        return;
    if (journal->fd >= 0)
        close(journal->fd);
    free(journal->waiting);
    free(journal);
}

static void add_bytes(struct journal *journal, const char *bytes, size_t length)
{
    size_t needed = journal->waiting_length + length;

    if (needed > journal->waiting_capacity) {
        journal->waiting_capacity = 2 * needed;
        journal->waiting = xrealloc(journal->waiting, journal->waiting_capacity);
    }
    memcpy(journal->waiting + journal->waiting_length, bytes, length);
    journal->waiting_length = needed;
}

void journal_add(struct journal *journal, const char *record, size_t length)
{
    next_sum(journal->sum, record, length - 1, journal->sum);
    add_bytes(journal, record, length - 1);
    add_bytes(journal, KEY, sizeof KEY - 1);
    add_bytes(journal, journal->sum, SUM_HEX - 1);
    add_bytes(journal, "\"}\n", 3);
}

size_t journal_mark(const struct journal *journal)
{
    return journal->waiting_length;
}

void journal_return(struct journal *journal, size_t mark)
{
    journal->waiting_length = mark;
    if (mark == 0)
        memcpy(journal->sum, journal->written_sum, SUM_HEX);
    else
        memcpy(journal->sum, journal->waiting + mark - 3 - (SUM_HEX - 1), SUM_HEX - 1);
}

void journal_start_over(struct journal *journal)
{
    journal->length = 0;
    journal->sum[0] = '\0';
    journal->written_sum[0] = '\0';
    journal->waiting_length = 0;
    journal->dropped = 0;
    journal->is_torn = true;
}

bool journal_is_waiting(const struct journal *journal)
{
    return journal->waiting_length > 0;
}

static int write_all(struct journal *journal)
{
    size_t done = 0;

    while (done < journal->waiting_length) {
        ssize_t written = pwrite(journal->fd, journal->waiting + done,
                                 journal->waiting_length - done, journal->length + (off_t)done);

        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0)
            done += (size_t)written;
    }
    return 0;
}

int journal_write(struct journal *journal)
{
    int error;

    if (cut_file(journal) != 0)
        return -1;
    if (journal->waiting_length == 0)
        return 0;
    journal->is_torn = true;
    if (write_all(journal) != 0 || fdatasync(journal->fd) != 0) {
        error = errno;
        (void)cut_file(journal);
        errno = error;
        return -1;
    }
    journal->is_torn = false;
    journal->length += (off_t)journal->waiting_length;
    journal->waiting_length = 0;
    memcpy(journal->written_sum, journal->sum, SUM_HEX);
    return 0;
}

size_t journal_dropped(const struct journal *journal)
{
    return journal->dropped;
}
