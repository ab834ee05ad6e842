/* Files of a job that can be read. Only numbers of the caller become part of a path; logs are only
 * looked for among those of published blocks. */

#include "serve/queue/queue_private.h"
#include "base/directory.h"
#include "match/log_file.h"
#include "base/memory.h"
#include "match/log_zstd.h"
#include "tournament/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const artifact_names[ARTIFACT_COUNT] = {
    [ARTIFACT_TEXT] = "text",   [ARTIFACT_JSON] = "json",       [ARTIFACT_CSV] = "csv",
    [ARTIFACT_CROSS] = "cross", [ARTIFACT_MATCHES] = "matches", [ARTIFACT_HTML] = "html",
};

/* A larger log is not shown in the browser either (web/viewer.h). */
#define LOG_MAX_BYTES ((size_t)64 << 20)

static const char *const artifact_files[ARTIFACT_COUNT] = {
    [ARTIFACT_TEXT] = "store/standings.txt",  [ARTIFACT_JSON] = "store/standings.json",
    [ARTIFACT_CSV] = "store/standings.csv",   [ARTIFACT_CROSS] = "store/cross.csv",
    [ARTIFACT_MATCHES] = "store/matches.csv", [ARTIFACT_HTML] = "store/report.html",
};

static int open_file(const char *path, size_t *length, struct request_error *error,
                     const char *what)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;

    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        *length = (size_t)status.st_size;
        return fd;
    }
    if (fd >= 0)
        close(fd);
    else if (errno != ENOENT && errno != ENOTDIR)
        return request_error_set(error, REQUEST_ERROR_DISK, "%s", strerror(errno));
    return request_error_set(error, REQUEST_ERROR_NO_LOG, "%s", what);
}

static int find_job(const struct queue *queue, unsigned number, struct request_error *error)
{
    if (ledger_job(queue->ledger, number) != NULL)
        return 0;
    return request_error_set(error, REQUEST_ERROR_NO_JOB, "there is no job %u", number);
}

int queue_open_artifact(const struct queue *queue, unsigned number, enum artifact artifact,
                        size_t *length, struct request_error *error)
{
    char *path;
    int fd;

    if (find_job(queue, number, error) != 0)
        return -1;
    path = queue_job_path(queue, number, artifact_files[artifact]);
    fd = open_file(path, length, error, "there are no standings yet: no deal is decided");
    free(path);
    return fd;
}

/* Whoever asks for a log gets its lines. They go to a file in memory, because a reader may be slow.
 * Takes the descriptor; returns the new one, or -1 with an error. */
static int unpack(int fd, size_t *length, struct request_error *error)
{
    char message[200];
    struct text problem;
    char *packed = xcalloc(*length + 1, 1);
    char *lines = NULL;
    int copy = -1;
    bool is_written = false;

    text_start(&problem, message, sizeof message);
    if (pread(fd, packed, *length, 0) != (ssize_t)*length) {
        text_add(&problem, "the log cannot be read");
    } else if (!log_zstd_is_packed(packed, *length)) {
        free(packed);
        return fd;
    }
    if (problem.length == 0)
        lines = log_zstd_unpack((struct span){packed, *length}, LOG_MAX_BYTES, length, &problem);
    close(fd);
    free(packed);
    if (lines != NULL)
        copy = memfd_create("log", MFD_CLOEXEC);
    if (copy >= 0)
        is_written = pwrite(copy, lines, *length, 0) == (ssize_t)*length;
    if (lines != NULL && !is_written)
        text_add(&problem, strerror(errno));
    free(lines);
    if (is_written)
        return copy;
    if (copy >= 0)
        close(copy);
    return request_error_set(error, REQUEST_ERROR_DISK, "%s", message);
}

/* Opens a file of a match: the log, or what is next to it with that ending. */
static int open_of_match(const struct queue *queue, const struct log_name *name, const char *ending,
                         size_t *length, struct request_error *error)
{
    char *folder, *log, *path;
    int fd;

    if (find_job(queue, name->job, error) != 0)
        return -1;
    if (name->block < 1 || name->match < 1)
        return request_error_set(error, REQUEST_ERROR_NO_LOG,
                                 "deals and matches are numbered from 1");
    folder = queue_job_path(queue, name->job, "store");
    log = store_published_path(folder, name->block, name->match - 1);
    path = ending != NULL ? log_file_next_to(log, ending) : xstrdup(log);
    fd = open_file(path, length, error,
                   "there is no such match, or its deal is not decided yet: a log is published "
                   "when all matches of its deal are played");
    free(path);
    free(log);
    free(folder);
    return fd >= 0 ? unpack(fd, length, error) : -1;
}

int queue_open_log(const struct queue *queue, const struct caller *caller,
                   const struct log_name *name, size_t *length, struct request_error *error)
{
    int fd = open_of_match(queue, name, NULL, length, error);

    if (fd < 0)
        return -1;
    fd = privacy_hide_stderr(queue, caller, name, fd, length);
    return fd >= 0 ? fd : queue_error_disk(error, "the log");
}

int queue_open_stderr(const struct queue *queue, const struct caller *caller,
                      const struct log_name *name, size_t *length, struct request_error *error)
{
    char ending[24];
    int seat, fd = open_of_match(queue, name, NULL, length, error);

    if (fd < 0)
        return -1;
    seat = privacy_find_seat(queue, caller, name, fd, error);
    if (seat < 0)
        return -1;
    snprintf(ending, sizeof ending, ".stderr.%d", seat);
    fd = open_of_match(queue, name, ending, length, error);
    if (fd < 0 && error->code == REQUEST_ERROR_NO_LOG)
        return request_error_set(error, REQUEST_ERROR_NO_LOG, "%.40s wrote nothing to stderr",
                                 name->player);
    return fd;
}
