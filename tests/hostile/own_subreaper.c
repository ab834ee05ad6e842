/* Makes itself the reaper of its orphans, leaves some running and exits. */

#include "attack.h"

int main(void)
{
    start_attack();
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();

        if (child == 0) {
            if (fork() == 0) {
                (void)setsid();
                linger();
            }
            _exit(0);
        }
        (void)waitpid(child, NULL, 0);
    }
    return 4;
}
