#ifndef REFEREE_SANDBOX_UNNAMED_FILES_H
#define REFEREE_SANDBOX_UNNAMED_FILES_H

/* Files that processes keep although they were removed from their folders. */

#include <stdint.h>
#include <sys/types.h>

/* How much such files on that device hold, of a process and its descendants. A file whose size
 * cannot be known counts `file_bytes`, the most that it can have: one that is only mapped, or on
 * its way through a socket. Counting stops above `most_bytes`. */
int64_t unnamed_files_measure(pid_t pid, dev_t device, int64_t file_bytes, int64_t most_bytes);

#endif
