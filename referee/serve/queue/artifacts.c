/* What a work has left to read. The numbers that a caller gives make the path, and nothing else of his;
 * logs are only looked for where those of decided blocks are. */

#include "serve/office_private.h"
#include "tournament/folder.h"
#include "tournament/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const office_paper_names[OFFICE_PAPER_COUNT] = {
    [OFFICE_TEXT] = "text",   [OFFICE_JSON] = "json",       [OFFICE_CSV] = "csv",
    [OFFICE_CROSS] = "cross", [OFFICE_MATCHES] = "matches", [OFFICE_HTML] = "html",
};

static const char *const paper_files[OFFICE_PAPER_COUNT] = {
    [OFFICE_TEXT] = "store/standings.txt",  [OFFICE_JSON] = "store/standings.json",
    [OFFICE_CSV] = "store/standings.csv",   [OFFICE_CROSS] = "store/cross.csv",
    [OFFICE_MATCHES] = "store/matches.csv", [OFFICE_HTML] = "store/report.html",
};

static int open_file(const char *path, size_t *length, struct denial *denial, const char *what)
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
        return deny(denial, DENIAL_DISK, "%s", strerror(errno));
    return deny(denial, DENIAL_NO_LOG, "%s", what);
}

static int find_work(const struct office *office, unsigned number, struct denial *denial)
{
    if (ledger_work(office->ledger, number) != NULL)
        return 0;
    return deny(denial, DENIAL_NO_WORK, "there is no work %u", number);
}

int office_open_paper(const struct office *office, unsigned number, enum office_paper paper,
                      size_t *length, struct denial *denial)
{
    char *path;
    int fd;

    if (find_work(office, number, denial) != 0)
        return -1;
    path = office_work_path(office, number, paper_files[paper]);
    fd = open_file(path, length, denial, "there is nothing to show yet: no deal is decided");
    free(path);
    return fd;
}

int office_open_log(const struct office *office, unsigned number, unsigned block, unsigned match,
                    size_t *length, struct denial *denial)
{
    char *folder;
    char *path;
    int fd;

    if (find_work(office, number, denial) != 0)
        return -1;
    if (block < 1 || match < 1)
        return deny(denial, DENIAL_NO_LOG, "deals and matches are numbered from 1");
    folder = office_work_path(office, number, "store");
    path = store_published_path(folder, block, match - 1);
    fd = open_file(path, length, denial,
                   "there is no such match, or its deal is not decided yet: a log is shown when "
                   "all matches of its deal are played");
    free(path);
    free(folder);
    return fd;
}
