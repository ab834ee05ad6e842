#ifndef REFEREE_BASE_FILE_READ_H
#define REFEREE_BASE_FILE_READ_H

/* All of a file that somebody else may have put there: a pipe in its place must not keep us
 * waiting, nor an endless device fill the memory. */

#include <stddef.h>
#include <sys/types.h>

struct file_read {
    char *bytes; /* with a '\0' after them; free them */
    size_t length;
    mode_t mode; /* what is at the path; 0 if nothing can be opened there */
};

/* Reads a regular file of at most `most` bytes. Returns 0; or -1 with errno and no bytes: EINVAL if
 * it is not a regular file, EFBIG if it is larger. */
int file_read(struct file_read *file, const char *path, size_t most);

#endif
