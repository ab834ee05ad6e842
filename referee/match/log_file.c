/* A log is written in large pieces; its hash is computed on the way. The first error is kept and
 * reported at the end: a running match cannot do anything about it.
 *
 * A log that is to be compressed stays in memory. What the partial log has of it is plain, so that
 * a killed process leaves lines that anybody can read. When it is complete it is compressed in one
 * piece: into the partial log if nothing was written to that yet, as in most short matches, or else
 * into a file of its own, which then takes the name.
 *
 * Two referees may want the same name, and one that was killed leaves its partial log. A lock on
 * the partial log, which ends with its process, tells one from the other. Whoever has the lock of
 * the file that is at the path now may remove or rename it, and nobody else does. A file that is
 * there already is never written to, so that a link cannot lead elsewhere.
 *
 * Whoever owns the log has it flushed from time to time, so that a process that is killed leaves
 * all but the last moment of its match. */

#include "match/log_file.h"

#include "base/directory.h"
#include "base/memory.h"
#include "match/log_zstd.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES 32768

/* How often others may remove a partial log while it is opened. */
#define OPEN_TRIES 10

struct log_file {
    int fd;
    int error; /* the first errno, or 0 */
    bool is_synced;
    char *path; /* of the file that is written */
    char *name; /* that it gets when it is complete; NULL: it has it already */
    bool is_packed;
    char *bytes; /* what is to be written; if it is packed, everything */
    size_t length;
    size_t capacity;
    size_t written; /* of `bytes`, to the partial log */
    crypto_hash_sha256_state hash;
};

/* Where the log of that name goes in the end: through links to a regular file. NULL if the name is
 * to be opened as it is. What is in /dev or /proc may be a file that others write to as well, such
 * as our own stdout. */
static char *find_name(const char *path)
{
    struct stat status;

    if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0)
        return NULL;
    if (lstat(path, &status) != 0 || S_ISREG(status.st_mode))
        return xstrdup(path);
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? realpath(path, NULL) : NULL;
}

char *log_file_next_to(const char *name, const char *ending)
{
    size_t length = log_zstd_plain_length(name);
    size_t size = length + strlen(ending) + 1;
    char *path = xcalloc(size, 1);

    snprintf(path, size, "%.*s%s", (int)length, name, ending);
    return path;
}

/* Locks an open file, and finds out whether it is still the one at the path. Where files cannot be
 * locked, nobody has a lock. Returns 1, 0 if it is another one by now, or -1 with errno. */
static int take_lock(int fd, const char *path)
{
    struct stat opened;
    struct stat there;

    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        errno = EBUSY;
        return -1;
    }
    if (fstat(fd, &opened) != 0)
        return -1;
    return lstat(path, &there) == 0 && there.st_dev == opened.st_dev &&
           there.st_ino == opened.st_ino;
}

/* Removes what a killed referee has left; nothing else. Returns 0, or -1 with errno. */
static int remove_left_over(const char *path)
{
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    int result = -1;

    if (fd < 0 && errno == ENOENT)
        return 0;
    if (fd < 0 && (errno == ELOOP || errno == ENXIO))
        errno = EEXIST;
    if (fd < 0)
        return -1;
    if (fstat(fd, &status) == 0 && !S_ISREG(status.st_mode)) {
        errno = EEXIST;
    } else {
        result = take_lock(fd, path);
        if (result == 1)
            result = unlink(path);
    }
    close(fd);
    return result;
}

/* Creates a partial log and locks it. Returns its descriptor, or -1 with errno. */
static int open_partial(const char *path)
{
    int is_ours = 0;

    for (unsigned i = 0; i < OPEN_TRIES && is_ours == 0; i++) {
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);

        if (fd < 0 && errno != EEXIST)
            return -1;
        is_ours = fd >= 0 ? take_lock(fd, path) : remove_left_over(path);
        if (fd >= 0 && is_ours == 1)
            return fd;
        if (fd >= 0)
            close(fd);
    }
    if (is_ours == 0)
        errno = EBUSY;
    return -1;
}

struct log_file *log_file_open(const char *path, bool is_synced)
{
    struct log_file *log = xcalloc(1, sizeof *log);

    log->is_synced = is_synced;
    log->name = find_name(path);
    log->is_packed = log_zstd_plain_length(path) < strlen(path);
    log->path = log->name != NULL ? log_file_next_to(log->name, LOG_FILE_PARTIAL) : xstrdup(path);
    log->fd = log->name != NULL ? open_partial(log->path)
                                : open(log->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (log->fd < 0) {
        log_file_free(log);
        return NULL;
    }
    crypto_hash_sha256_init(&log->hash);
    return log;
}

const char *log_file_partial_path(const struct log_file *log)
{
    return log->name != NULL ? log->path : NULL;
}

static void write_bytes(struct log_file *log, const char *bytes, size_t length)
{
    size_t done = 0;

    while (done < length && log->error == 0) {
        ssize_t written = write(log->fd, bytes + done, length - done);

        if (written > 0)
            done += (size_t)written;
        else if (errno != EINTR)
            log->error = errno;
    }
}

/* To the partial log, if it is to be compressed: where there is none, that comes in the end. */
static void write_out(struct log_file *log)
{
    if (log->is_packed && log->name == NULL)
        return;
    write_bytes(log, log->bytes + log->written, log->length - log->written);
    log->written = log->length;
    if (!log->is_packed)
        log->length = log->written = 0;
}

/* Some files cannot be synced, and need not be. */
static void sync_out(struct log_file *log)
{
    if (log->is_synced && log->error == 0 && fsync(log->fd) != 0 && errno != EINVAL &&
        errno != EROFS)
        log->error = errno;
}

/* Without a sync: a bot may be thinking, and while the disk works nobody takes its answer. */
void log_file_flush(struct log_file *log)
{
    write_out(log);
}

void log_file_free(struct log_file *log)
{
    int error = errno;

    if (log == NULL)
        return;
    if (log->fd >= 0) {
        write_out(log);
        close(log->fd);
    }
    free(log->path);
    free(log->name);
    free(log->bytes);
    free(log);
    errno = error;
}

static void add_bytes(struct log_file *log, const char *bytes, size_t length)
{
    size_t needed = log->length + length;

    if (needed > log->capacity) {
        log->capacity = needed < BUFFER_BYTES ? BUFFER_BYTES : 2 * needed;
        log->bytes = xrealloc(log->bytes, log->capacity);
    }
    memcpy(log->bytes + log->length, bytes, length);
    log->length = needed;
    if (!log->is_packed && log->length >= BUFFER_BYTES / 2)
        write_out(log);
}

void log_file_add(struct log_file *log, const char *record, size_t length)
{
    crypto_hash_sha256_update(&log->hash, (const unsigned char *)record, length);
    crypto_hash_sha256_update(&log->hash, (const unsigned char *)"\n", 1);
    add_bytes(log, record, length);
    add_bytes(log, "\n", 1);
}

static void add_last_line(struct log_file *log, char hex[LOG_RECORD_HASH_HEX])
{
    struct log_record_writer *writer = log_record_writer_new();
    unsigned char hash[crypto_hash_sha256_BYTES];
    const char *record;
    size_t length;

    crypto_hash_sha256_final(&log->hash, hash);
    sodium_bin2hex(hex, LOG_RECORD_HASH_HEX, hash, sizeof hash);
    record = log_record_end(writer, hex, &length);
    add_bytes(log, record, length);
    add_bytes(log, "\n", 1);
    log_record_writer_free(writer);
}

/* The new name is on the disk when its folder is. */
static void give_name(struct log_file *log)
{
    if (rename(log->path, log->name) != 0 ||
        (log->is_synced && directory_sync_parent(log->name) != 0))
        log->error = errno;
}

/* Some systems report only when a file is closed that it could not be written. A copy of the
 * descriptor is closed, because the lock is needed until the file has its name. */
static void close_copy(struct log_file *log)
{
    int copy = fcntl(log->fd, F_DUPFD_CLOEXEC, 0);

    if (copy >= 0 && close(copy) != 0 && log->error == 0)
        log->error = errno;
}

/* Brings everything to the disk and gives the file its name. */
static void complete(struct log_file *log)
{
    sync_out(log);
    close_copy(log);
    if (log->error == 0 && log->name != NULL)
        give_name(log);
}

static void complete_packed(struct log_file *log)
{
    size_t length;
    char *packed = log_zstd_pack(log->bytes, log->length, &length);

    log->length = 0;
    write_bytes(log, packed, length);
    complete(log);
    free(packed);
}

/* The partial log has lines already, and keeps them until there is something better. */
static void complete_beside(struct log_file *log)
{
    struct log_file plain = *log;

    log->path = log_file_next_to(log->name, LOG_FILE_PACKING);
    log->fd = open_partial(log->path);
    if (log->fd < 0)
        log->error = errno;
    else
        complete_packed(log);
    if (log->error == 0)
        (void)unlink(plain.path);
    else if (log->fd >= 0)
        (void)unlink(log->path);
    close(plain.fd);
    free(plain.path);
}

int log_file_close(struct log_file *log, char hash[LOG_RECORD_HASH_HEX])
{
    int error;

    add_last_line(log, hash);
    if (log->is_packed && log->written > 0) {
        complete_beside(log);
    } else if (log->is_packed) {
        complete_packed(log);
    } else {
        write_out(log);
        complete(log);
    }
    error = log->error;
    log->length = log->written = 0;
    log_file_free(log);
    errno = error;
    return error == 0 ? 0 : -1;
}
