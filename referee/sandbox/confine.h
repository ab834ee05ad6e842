#ifndef REFEREE_SANDBOX_CONFINE_H
#define REFEREE_SANDBOX_CONFINE_H

/* Takes rights away from the calling process, for a part of the referee that reads what strangers
 * have sent and that should do no harm if it is fooled. */

#include "base/text.h"

struct confine_limits {
    long memory_mb;
    long cpu_s;
    long file_mb; /* of one file */
};

/* From now on the process can write and read below `folder` only, and has the system calls of a
 * contained program and these limits; descriptors that are open stay. Where the kernel has no
 * Landlock, the rest holds. Returns 0, or -1 with a sentence. */
int confine_self(const char *folder, const struct confine_limits *limits, struct text *problem);

#endif
