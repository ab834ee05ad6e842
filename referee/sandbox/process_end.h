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

/* How many bytes at the start of a message are such a sentence; 0 if none. Only a process in a
 * sandbox has a scratch folder. */
size_t process_end_find_stop(const char *message, bool is_contained);

#endif
