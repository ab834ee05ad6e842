/* The most that any referee could make of two instant bots on one core. */

#include "support/pipe_limit.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#define RUN_US 2000000

int main(int argc, char **argv)
{
    static const char name[] = "pipe.limit_per_s";
    const char *only = argc > 1 ? argv[1] : "";
    struct pipe_limit limit;

    if (strncmp(name, only, strlen(only)) != 0)
        return 0;
    if (pipe_limit_start(&limit, sched_getcpu()) != 0) {
        perror("bench pipe");
        return 1;
    }
    printf("bench %s %.0f /s\n", name, pipe_limit_measure(&limit, RUN_US));
    pipe_limit_stop(&limit);
    return 0;
}
