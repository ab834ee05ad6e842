/* Raises every limit that it has, and lowers those of the referee. */

#include "attack.h"

int main(void)
{
    await_moment();
    for (int resource = 0; resource < (int)RLIMIT_NLIMITS; resource++) {
        struct rlimit limit;

        if (getrlimit((__rlimit_resource_t)resource, &limit) != 0 ||
            limit.rlim_max == RLIM_INFINITY || resource == RLIMIT_NICE || resource == RLIMIT_RTPRIO)
            continue;
        limit.rlim_max++;
        (void)tried("a hard limit", setrlimit((__rlimit_resource_t)resource, &limit));
    }
    if (referee_pid() != 0) {
        struct rlimit files;

        /* The values that it has already: what counts is whether it may. */
        if (tried("", prlimit(referee_pid(), RLIMIT_NOFILE, NULL, &files)))
            (void)tried("limits of the referee",
                        prlimit(referee_pid(), RLIMIT_NOFILE, &files, NULL));
    }
    conclude_and_play_on();
}
