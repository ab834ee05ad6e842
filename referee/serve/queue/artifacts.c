/* What a work has left to read. The numbers that a caller gives make the path, and nothing else of his;
 * logs are only looked for where those of decided blocks are. */

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

static const char *const paper_files[ARTIFACT_COUNT] = {
    [ARTIFACT_TEXT] = "store/standings.txt",  [ARTIFACT_JSON] = "store/standings.json",
    [ARTIFACT_CSV] = "store/standings.csv",   [ARTIFACT_CROSS] = "store/cross.csv",
    [ARTIFACT_MATCHES] = "store/matches.csv", [ARTIFACT_HTML] = "store/report.html",
};

static int open_file(const char *path, size_t *length, struct serve_error *error, const char *what)
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
        return serve_error_set(error, SERVE_ERROR_DISK, "%s", strerror(errno));
    return serve_error_set(error, SERVE_ERROR_NO_LOG, "%s", what);
}

static int find_job(const struct queue *queue, unsigned number, struct serve_error *error)
{
    if (ledger_job(queue->ledger, number) != NULL)
        return 0;
    return serve_error_set(error, SERVE_ERROR_NO_JOB, "there is no work %u", number);
}

int queue_open_artifact(const struct queue *queue, unsigned number, enum artifact paper,
                        size_t *length, struct serve_error *error)
{
    char *path;
    int fd;

    if (find_job(queue, number, error) != 0)
        return -1;
    path = queue_job_path(queue, number, paper_files[paper]);
    fd = open_file(path, length, error, "there is nothing to show yet: no deal is decided");
    free(path);
    return fd;
}

int queue_open_log(const struct queue *queue, unsigned number, unsigned block, unsigned match,
                   size_t *length, struct serve_error *error)
{
    char *folder;
    char *path;
    int fd;

    if (find_job(queue, number, error) != 0)
        return -1;
    if (block < 1 || match < 1)
        return serve_error_set(error, SERVE_ERROR_NO_LOG, "deals and matches are numbered from 1");
    folder = queue_job_path(queue, number, "store");
    path = store_published_path(folder, block, match - 1);
    fd = open_file(path, length, error,
                   "there is no such match, or its deal is not decided yet: a log is shown when "
                   "all matches of its deal are played");
    free(path);
    free(folder);
    return fd;
}
