/* Everything about a group is a small text file: a word is written to it in one piece, and read
 * from its beginning. */

#include "sandbox/cgroup_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 80

int cgroup_file_open(int folder, unsigned number, const char *file, int flags)
{
    char path[PATH_BYTES];

    (void)snprintf(path, sizeof path, "%u/%s", number, file);
    return folder >= 0 ? openat(folder, path, flags | O_CLOEXEC) : -1;
}

int cgroup_file_write_to(int fd, const char *word)
{
    size_t length = strlen(word);
    int failed = fd < 0 || write(fd, word, length) != (ssize_t)length;

    if (fd >= 0)
        close(fd);
    return failed ? -1 : 0;
}

int cgroup_file_write(int folder, unsigned number, const char *file, const char *word)
{
    return cgroup_file_write_to(cgroup_file_open(folder, number, file, O_WRONLY), word);
}

int cgroup_file_write_number(int folder, unsigned number, const char *file, int64_t value)
{
    char word[24];

    (void)snprintf(word, sizeof word, "%lld", (long long)value);
    return cgroup_file_write(folder, number, file, word);
}

bool cgroup_file_read_fd(int fd, char content[CGROUP_FILE_BYTES])
{
    ssize_t length = fd >= 0 ? pread(fd, content, CGROUP_FILE_BYTES - 1, 0) : -1;

    content[length > 0 ? length : 0] = '\0';
    return length > 0;
}

bool cgroup_file_read(int folder, unsigned number, const char *file,
                      char content[CGROUP_FILE_BYTES])
{
    int fd = cgroup_file_open(folder, number, file, O_RDONLY);
    bool is_read = cgroup_file_read_fd(fd, content);

    if (fd >= 0)
        close(fd);
    return is_read;
}

int64_t cgroup_file_number(const char *content, const char *key)
{
    const char *found = strstr(content, key);

    return found != NULL ? strtoll(found + strlen(key), NULL, 10) : -1;
}
