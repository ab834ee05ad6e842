/* A file is opened without waiting, because opening a pipe waits for somebody who writes. One that
 * grows meanwhile is read up to the size that it had. */

#include "base/file_read.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_bytes(struct file_read *file, int fd, size_t size)
{
    ssize_t got;

    file->bytes = xcalloc(size + 1, 1);
    do {
        got = read(fd, file->bytes + file->length, size - file->length);
        file->length += got > 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    if (got == 0)
        return 0;
    free(file->bytes);
    file->bytes = NULL;
    file->length = 0;
    return -1;
}

int file_read(struct file_read *file, const char *path, size_t most)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat status;
    int result = -1;
    int error;

    *file = (struct file_read){0};
    if (fd < 0)
        return -1;
    if (fstat(fd, &status) == 0) {
        file->mode = status.st_mode;
        if (!S_ISREG(status.st_mode))
            errno = EINVAL;
        else if ((size_t)status.st_size > most)
            errno = EFBIG;
        else
            result = read_bytes(file, fd, (size_t)status.st_size);
    }
    error = errno;
    close(fd);
    errno = error;
    return result;
}
