/* journal_line.c has the format of a line, and the rule by which the unsynced rest of a group of
 * lines is told from damage. That rule needs two things from here: a group is synced before the
 * next one is written, and before a process adds its first line it syncs the lines that it has
 * found, because the process before may have died after writing them.
 *
 * After a failed write or sync the file is cut to the length that is known to be good, because what
 * follows it is not known. A cut is synced too: otherwise old lines could come back behind new
 * ones.
 *
 * Somebody may remove, replace or empty the file while it is in use. What is written to it then is
 * lost, so before and after each group the file is compared with the one that has its name. */

#include "tournament/store/journal.h"

#include "base/directory.h"
#include "base/memory.h"
#include "tournament/store/journal_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SAVED_MAX 10000          /* files of one journal with damaged lines */
#define PIECE_BYTES (16UL << 20) /* no line is that long */

struct journal {
    int fd;
    char *path;  /* as it was given */
    char *place; /* the same, absolute */
    enum journal_mode mode;
    off_t length;                      /* of the file, as far as it is good */
    unsigned long count;               /* of lines up to there */
    size_t synced;                     /* as the last line that was read says */
    char sum[JOURNAL_SUM_HEX];         /* of the last line */
    char written_sum[JOURNAL_SUM_HEX]; /* of the last line that is written */
    char *waiting;
    size_t waiting_length;
    size_t waiting_capacity;
    struct journal_loss loss;
    struct json_document *document; /* while it is read */
    bool is_torn;                   /* there may be bytes after `length` to cut off */
};

/* Passes a line on. It is the first of a group, or of the same group as the line before. Returns 0;
 * or -1 with the reason, and the journal is as it was before. */
static int take_line(struct journal *journal, struct span line, const char *sum,
                     const struct journal_reader *reader, struct text *why)
{
    const struct json_node *record;
    struct span bytes;
    size_t synced;

    if (!journal_line_split(line, &bytes, &synced) ||
        (synced != (size_t)journal->length && (journal->count == 0 || synced != journal->synced))) {
        text_add(why, "its `synced` is not what the lines before it make it");
        return -1;
    }
    record = json_read(journal->document, line.start, line.length, why);
    if (record == NULL || reader->take(reader->context, record, bytes, why) != 0)
        return -1;
    journal->synced = synced;
    memcpy(journal->sum, sum, JOURNAL_SUM_HEX);
    journal->length += (off_t)line.length + 1;
    journal->count++;
    return 0;
}

/* Reads all lines up to the first that is wrong. Returns 0; or -1 with the reason if that line is
 * damaged, and not only unsynced. */
static int read_lines(struct journal *journal, struct span rest,
                      const struct journal_reader *reader, struct text *why)
{
    int result = 0;

    while (rest.length > 0) {
        struct span line = journal_line_first(rest);
        char sum[JOURNAL_SUM_HEX];

        memcpy(sum, journal->sum, sizeof sum);
        if (line.length == rest.length || !journal_line_check(line, sum)) {
            text_add(why, "wrong checksum: this line or one before it was changed");
            result = journal_line_was_synced(rest, (size_t)journal->length) ? -1 : 0;
            break;
        }
        result = take_line(journal, line, sum, reader, why);
        if (result != 0)
            break;
        rest.start += line.length + 1;
        rest.length -= line.length + 1;
    }
    journal->loss.line = journal->count + 1;
    journal->loss.bytes = rest.length;
    return result;
}

/* Returns how many bytes were read, less than PIECE_BYTES only at the end of the file; or -1. */
static ssize_t read_piece(int fd, char *bytes, off_t offset)
{
    size_t done = 0;

    while (done < PIECE_BYTES) {
        ssize_t got = pread(fd, bytes + done, PIECE_BYTES - done, offset + (off_t)done);

        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        if (got > 0)
            done += (size_t)got;
    }
    return (ssize_t)done;
}

/* In pieces, so that a hole of any size is found before it has filled the memory. */
static char *read_file(int fd, size_t *length)
{
    char *bytes = NULL;
    size_t capacity = 0;
    ssize_t got = (ssize_t)PIECE_BYTES;

    for (*length = 0; got == (ssize_t)PIECE_BYTES; *length += (size_t)got) {
        if (capacity < *length + PIECE_BYTES) {
            capacity = 2 * capacity + PIECE_BYTES;
            bytes = xrealloc(bytes, capacity);
        }
        got = read_piece(fd, bytes + *length, (off_t)*length);
        if (got == (ssize_t)PIECE_BYTES && memchr(bytes + *length, '\n', PIECE_BYTES) == NULL) {
            errno = EFBIG;
            got = -1;
        }
        if (got < 0) {
            free(bytes);
            return NULL;
        }
    }
    return bytes;
}

static int write_all(int fd, struct span bytes, off_t offset)
{
    size_t done = 0;

    while (done < bytes.length) {
        ssize_t written = pwrite(fd, bytes.start + done, bytes.length - done, offset + (off_t)done);

        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0)
            done += (size_t)written;
    }
    return 0;
}

static int cut_file(struct journal *journal)
{
    if (!journal->is_torn)
        return 0;
    if (ftruncate(journal->fd, journal->length) != 0 || fsync(journal->fd) != 0)
        return -1;
    journal->is_torn = false;
    return 0;
}

/* Makes the next free one of the files PATH.damaged-1, -2 and so on. Returns its descriptor. */
static int make_saved_file(const char *path, char **saved)
{
    size_t size = strlen(path) + 30;
    int fd = -1;

    *saved = xcalloc(size, 1);
    for (unsigned i = 1; i < SAVED_MAX && fd < 0; i++) {
        snprintf(*saved, size, "%s.damaged-%u", path, i);
        fd = open(*saved, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

/* Writes the lines that are not used to a file of their own, which is on disk afterwards. */
static int save_rest(struct journal *journal, struct span rest)
{
    char *saved;
    int fd = make_saved_file(journal->path, &saved);
    int result = fd >= 0 && write_all(fd, rest, 0) == 0 && fsync(fd) == 0 ? 0 : -1;

    if (fd >= 0)
        close(fd);
    if (result == 0)
        result = directory_sync_parent(journal->path);
    if (result == 0)
        journal->loss.saved = saved;
    else
        free(saved);
    return result;
}

int journal_salvage(struct journal *journal)
{
    char *bytes;
    size_t length;
    size_t good = (size_t)journal->length;
    int result = -1;

    errno = ESTALE;
    if (journal->mode == JOURNAL_SALVAGE && journal->loss.bytes > 0 &&
        journal->loss.saved == NULL) {
        bytes = read_file(journal->fd, &length);
        if (bytes != NULL && length >= good)
            result = save_rest(journal, (struct span){bytes + good, length - good});
        free(bytes);
        if (result != 0)
            return -1;
    }
    return cut_file(journal);
}

/* After all lines are read. The name of a file that has lines was synced before the first of them
 * was written. Returns 0, or -1 with errno. */
static int make_writable(struct journal *journal)
{
    memcpy(journal->written_sum, journal->sum, JOURNAL_SUM_HEX);
    if (journal->mode == JOURNAL_READ)
        return 0;
    journal->is_torn = journal->loss.bytes > 0;
    if (fdatasync(journal->fd) != 0)
        return -1;
    return journal->length == 0 ? directory_sync_parent(journal->path) : 0;
}

static int read_journal(struct journal *journal, struct span file,
                        const struct journal_reader *reader, struct text *problem)
{
    char message[300];
    struct text why;
    int result;

    text_start(&why, message, sizeof message);
    result = read_lines(journal, file, reader, &why);
    if (result != 0 && (journal->mode != JOURNAL_SALVAGE || journal->count == 0)) {
        text_printf(problem, "line %lu: %s; %s", journal->loss.line, message,
                    reader->way_out(reader->context, journal->count));
        return -1;
    }
    result = make_writable(journal);
    if (result != 0)
        text_add(problem, strerror(errno));
    return result;
}

/* Something else that has the name of the file, such as a pipe, must not stop us. Returns 0, or -1
 * with one sentence. */
static int open_file(struct journal *journal, const char *path, struct text *problem)
{
    int flags = journal->mode == JOURNAL_READ ? O_RDONLY : O_RDWR | O_CREAT | O_NOFOLLOW;
    struct stat status;
    const char *why = NULL;

    journal->fd = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0644);
    if (journal->fd < 0 || fstat(journal->fd, &status) != 0)
        why = errno == ELOOP ? "it is a link, and nothing is written through it" : strerror(errno);
    else if (!S_ISREG(status.st_mode))
        why = "it is not a regular file";
    else if (journal->mode != JOURNAL_READ && directory_lock_file(journal->fd) != 0)
        why = errno == EWOULDBLOCK ? DIRECTORY_IN_USE : strerror(errno);
    if (why != NULL) {
        text_add(problem, why);
        return -1;
    }
    journal->path = xstrdup(path);
    journal->place = realpath(path, NULL);
    if (journal->place == NULL)
        journal->place = xstrdup(path);
    return 0;
}

static int read_all(struct journal *journal, const struct journal_reader *reader,
                    struct text *problem)
{
    size_t length;
    char *bytes = read_file(journal->fd, &length);
    int result = -1;

    if (bytes != NULL)
        result = read_journal(journal, (struct span){bytes, length}, reader, problem);
    else
        text_add(problem, errno == EFBIG ? "it has a hole of many megabytes, so it is not a file "
                                           "of ours; restore it from a backup"
                                         : strerror(errno));
    free(bytes);
    return result;
}

struct journal *journal_open(const char *path, enum journal_mode mode,
                             const struct journal_reader *reader, struct text *problem)
{
    struct journal *journal = xcalloc(1, sizeof *journal);
    int result;

    journal->mode = mode;
    journal->document = json_document_new();
    result = open_file(journal, path, problem);
    if (result == 0)
        result = read_all(journal, reader, problem);
    json_document_free(journal->document);
    if (result != 0) {
        journal_free(journal);
        return NULL;
    }
    return journal;
}

void journal_free(struct journal *journal)
{
    if (journal == NULL)
        return;
    if (journal->fd >= 0)
        close(journal->fd);
    free(journal->path);
    free(journal->place);
    free(journal->loss.saved);
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
    char bytes[JOURNAL_LINE_END_MAX];
    struct text end;

    text_start(&end, bytes, sizeof bytes);
    journal_line_end((struct span){record, length - 1}, (size_t)journal->length, journal->sum,
                     &end);
    add_bytes(journal, record, length - 1);
    add_bytes(journal, bytes, end.length);
}

bool journal_has_bytes(const char *record, size_t length, struct span bytes)
{
    return length - 1 == bytes.length && memcmp(record, bytes.start, bytes.length) == 0;
}

size_t journal_mark(const struct journal *journal)
{
    return journal->waiting_length;
}

void journal_return(struct journal *journal, size_t mark)
{
    journal->waiting_length = mark;
    if (mark == 0)
        memcpy(journal->sum, journal->written_sum, JOURNAL_SUM_HEX);
    else
        journal_line_last_sum((struct span){journal->waiting, mark}, journal->sum);
}

void journal_start_over(struct journal *journal)
{
    journal->length = 0;
    journal->count = 0;
    journal->sum[0] = '\0';
    journal->written_sum[0] = '\0';
    journal->waiting_length = 0;
    if (journal->loss.saved == NULL)
        journal->loss.bytes = 0;
    journal->is_torn = true;
}

bool journal_is_waiting(const struct journal *journal)
{
    return journal->waiting_length > 0;
}

static unsigned long count_lines(struct span bytes)
{
    unsigned long count = 0;

    for (size_t i = 0; i < bytes.length; i++)
        count += bytes.start[i] == '\n';
    return count;
}

/* Whether the file that we write is still the one that has the name, and has that length. Bytes
 * after it may be there only if they are still to be cut off. Returns 0, or -1 with errno. */
static int check_file(const struct journal *journal, off_t length)
{
    struct stat ours;
    struct stat named;

    if (fstat(journal->fd, &ours) != 0)
        return -1;
    if (stat(journal->place, &named) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            errno = ESTALE;
        return -1;
    }
    if (ours.st_ino == named.st_ino && ours.st_dev == named.st_dev && ours.st_size >= length &&
        (ours.st_size == length || journal->is_torn))
        return 0;
    errno = ESTALE;
    return -1;
}

int journal_write(struct journal *journal)
{
    struct span waiting = {journal->waiting, journal->waiting_length};
    int error;

    if (check_file(journal, journal->length) != 0 || journal_salvage(journal) != 0)
        return -1;
    if (waiting.length == 0)
        return 0;
    journal->is_torn = true;
    if (write_all(journal->fd, waiting, journal->length) != 0 || fdatasync(journal->fd) != 0 ||
        check_file(journal, journal->length + (off_t)waiting.length) != 0) {
        error = errno;
        if (error != ESTALE)
            (void)cut_file(journal);
        errno = error;
        return -1;
    }
    journal->is_torn = false;
    journal->length += (off_t)waiting.length;
    journal->count += count_lines(waiting);
    journal->waiting_length = 0;
    memcpy(journal->written_sum, journal->sum, JOURNAL_SUM_HEX);
    return 0;
}

const char *journal_error(int error)
{
    return error == ESTALE ? "the journal was removed or changed while it was in use"
                           : strerror(error);
}

const struct journal_loss *journal_loss(const struct journal *journal)
{
    return &journal->loss;
}

bool journal_write_dropped(struct text *text, const struct journal_loss *loss)
{
    if (loss->bytes == 0 || loss->saved != NULL)
        return false;
    text_printf(text,
                "the last records were cut off while they were written (%zu bytes from line %lu) "
                "and are dropped",
                loss->bytes, loss->line);
    return true;
}

unsigned long journal_count(const struct journal *journal)
{
    return journal->count;
}

const char *journal_sum(const struct journal *journal)
{
    return journal->written_sum;
}
