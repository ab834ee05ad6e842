/* Tries to raise all its hard limits and to set a limit of the referee. */

#include "attack.h"

int main(void)
{
    start_attack();
    for (int resource = 0; resource < (int)RLIMIT_NLIMITS; resource++) {
        struct rlimit limit;

        if (getrlimit((__rlimit_resource_t)resource, &limit) != 0 ||
            limit.rlim_max == RLIM_INFINITY || resource == RLIMIT_NICE || resource == RLIMIT_RTPRIO)
            continue;
        limit.rlim_max++;
        (void)note_result("a hard limit", setrlimit((__rlimit_resource_t)resource, &limit));
    }
    if (referee_pid() != 0) {
        struct rlimit files;

        /* The old values again: only the permission matters. */
        if (note_result("", prlimit(referee_pid(), RLIMIT_NOFILE, NULL, &files)))
            (void)note_result("limits of the referee",
                              prlimit(referee_pid(), RLIMIT_NOFILE, &files, NULL));
    }
    report_and_keep_playing();
}
