/* One read: the kernel makes such a file when it is read, and a second read may see another
 * moment. */

#include "sandbox/procfs.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

bool procfs_read(const char *path, char *buffer, size_t capacity)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length;

    if (fd < 0)
        return false;
    length = read(fd, buffer, capacity - 1);
    close(fd);
    buffer[length > 0 ? length : 0] = '\0';
    return length > 0;
}
