/* A log is written in large pieces; its hash is computed on the way. The first error is kept and
 * reported at the end: a running match cannot do anything about it. */

#include "match/log_file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_BYTES 32768

struct log_file {
    int fd;
    int error; /* the first errno, or 0 */
    size_t length;
    crypto_hash_sha256_state hash;
    char buffer[BUFFER_BYTES];
};

struct log_file *log_file_open(const char *path)
{
    struct log_file *log = xcalloc(1, sizeof *log);

    log->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (log->fd < 0) {
        log_file_free(log);
        return NULL;
    }
    crypto_hash_sha256_init(&log->hash);
    return log;
}

void log_file_free(struct log_file *log)
{
    int error = errno;

    if (log == NULL)
        return;
    if (log->fd >= 0)
        close(log->fd);
    free(log);
    errno = error;
}

static void write_out(struct log_file *log)
{
    size_t done = 0;

    while (done < log->length && log->error == 0) {
        ssize_t written = write(log->fd, log->buffer + done, log->length - done);

        if (written > 0)
            done += (size_t)written;
        else if (errno != EINTR)
            log->error = errno;
    }
    log->length = 0;
}

static void add_bytes(struct log_file *log, const char *bytes, size_t length)
{
    while (length > 0) {
        size_t room = sizeof log->buffer - log->length;
        size_t piece = length < room ? length : room;

        memcpy(log->buffer + log->length, bytes, piece);
        log->length += piece;
        bytes += piece;
        length -= piece;
        if (log->length == sizeof log->buffer)
            write_out(log);
    }
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

int log_file_close(struct log_file *log, bool is_synced, char hash[LOG_RECORD_HASH_HEX])
{
    int error;

    add_last_line(log, hash);
    write_out(log);
    if (is_synced && log->error == 0 && fsync(log->fd) != 0 && errno != EINVAL && errno != EROFS)
        log->error = errno;
    if (close(log->fd) != 0 && log->error == 0)
        log->error = errno;
    error = log->error;
    log->fd = -1;
    log_file_free(log);
    errno = error;
    return error == 0 ? 0 : -1;
}
