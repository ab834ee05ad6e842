/* Forks until it cannot, at most 500 times: the process limit must stop it. */

#include "attack.h"

#define CHILDREN 500

int main(void)
{
    require_limits();
    start_attack();
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();

        if (child == 0) {
            (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
            linger();
        }
        if (child < 0) {
            (void)note_refusal("a process", errno);
            report_and_keep_playing();
        }
    }
    (void)note_result("500 processes", 0);
    report_and_keep_playing();
}
