#ifndef REFEREE_SANDBOX_PROCESS_END_H
#define REFEREE_SANDBOX_PROCESS_END_H

/* The words about the end of a process, for its author and for logs. They are a closed set, so that
 * a log can be held against it later. */

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* Why we stopped a process: it has more than so many of something. */
enum process_end_stop {
    PROCESS_END_MEMORY,          /* MB */
    PROCESS_END_SCRATCH_BYTES,   /* MB */
    PROCESS_END_SCRATCH_ENTRIES, /* files */
    PROCESS_END_SCRATCH_DEPTH,   /* folders in each other */
    PROCESS_END_STOP_COUNT,
};

/* "exit status 3", "signal 11 (Segmentation fault)". */
void process_end_write(struct text *text, bool is_exit, int status);

/* Whether process_end_write() writes these words for some end. */
bool process_end_is_known(const char *ending);

/* "it was stopped: it used more than 64 MB of memory". */
void process_end_write_stop(struct text *text, enum process_end_stop stop, long most);

/* The end of a process that we stopped. */
#define PROCESS_END_STOPPED "signal 9 (Killed)"

/* How many bytes at the start of a message are such a sentence, with a limit that there is; 0 if
 * none. `enforced` lists the parts of its sandbox: the part that has the limit must be among them.
 * Without a sandbox, "", a process can only be stopped for its memory. */
size_t process_end_find_stop(const char *message, const char *enforced);

#endif
