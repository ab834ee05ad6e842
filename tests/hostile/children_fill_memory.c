/* Starts 12 children that fill 100 MB each: the memory limit must count them too. */

#include "attack.h"

#define CHILDREN 12
#define SHARE ((size_t)100 << 20)

static void fill(int ready)
{
    char *share = malloc(SHARE);

    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (share == NULL)
        _exit(ENOMEM);
    memset(share, 1, SHARE);
    (void)!write(ready, share, 1);
    linger();
}

int main(void)
{
    int ready[2];
    char bytes[1];

    require_limits();
    start_attack();
    if (pipe2(ready, O_CLOEXEC) != 0)
        return 1;
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();

        if (child == 0)
            fill(ready[1]);
        if (child < 0)
            (void)note_refusal("a child", errno);
    }
    (void)close(ready[1]);
    for (int i = 0; i < CHILDREN; i++) {
        if (read(ready[0], bytes, 1) != 1) {
            (void)note_refusal("memory", ENOMEM);
            report_and_keep_playing();
        }
    }
    wait_to_be_killed("1200 MB in children");
    report_and_keep_playing();
}
