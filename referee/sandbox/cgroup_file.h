#ifndef REFEREE_SANDBOX_CGROUP_FILE_H
#define REFEREE_SANDBOX_CGROUP_FILE_H

/* Private to the groups: the files of group `number` in a folder, which may be -1: then there is no
 * such file. */

#include <stdbool.h>
#include <stdint.h>

#define CGROUP_FILE_BYTES 4096

int cgroup_file_open(int folder, unsigned number, const char *file, int flags);

/* Return 0, or -1. The first closes the descriptor. */
int cgroup_file_write_to(int fd, const char *word);
int cgroup_file_write(int folder, unsigned number, const char *file, const char *word);
int cgroup_file_write_number(int folder, unsigned number, const char *file, int64_t value);

/* Read the beginning of a file, with a NUL after it. Return whether there is anything. */
bool cgroup_file_read_fd(int fd, char content[CGROUP_FILE_BYTES]);
bool cgroup_file_read(int folder, unsigned number, const char *file,
                      char content[CGROUP_FILE_BYTES]);

/* The number after `key` in a text; -1 if it is not there. */
int64_t cgroup_file_number(const char *content, const char *key);

#endif
