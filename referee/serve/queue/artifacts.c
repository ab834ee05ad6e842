/* Files of a job that can be read. Only numbers of the caller become part of a path; logs are only
 * looked for among those of published blocks. */

#include "serve/queue/queue_private.h"
#include "base/directory.h"
#include "tournament/store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const artifact_names[ARTIFACT_COUNT] = {
    [ARTIFACT_TEXT] = "text",   [ARTIFACT_JSON] = "json",       [ARTIFACT_CSV] = "csv",
    [ARTIFACT_CROSS] = "cross", [ARTIFACT_MATCHES] = "matches", [ARTIFACT_HTML] = "html",
};

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

int queue_open_log(const struct queue *queue, unsigned number, unsigned block, unsigned match,
                   size_t *length, struct request_error *error)
{
    char *folder;
    char *path;
    int fd;

    if (find_job(queue, number, error) != 0)
        return -1;
    if (block < 1 || match < 1)
        return request_error_set(error, REQUEST_ERROR_NO_LOG,
                                 "deals and matches are numbered from 1");
    folder = queue_job_path(queue, number, "store");
    path = store_published_path(folder, block, match - 1);
    fd =
        open_file(path, length, error,
                  "there is no such match, or its deal is not decided yet: a log is published when "
                  "all matches of its deal are played");
    free(path);
    free(folder);
    return fd;
}
