/* Opens descriptors until it cannot, at most 4000: the descriptor limit must stop it. */

#include "attack.h"

#define FILES 4000

int main(void)
{
    struct rlimit limit;

    start_attack();
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    for (int i = 0; i < FILES; i++) {
        if (dup(STDERR_FILENO) < 0) {
            (void)note_refusal("a descriptor", errno);
            report_and_keep_playing();
        }
    }
    (void)note_result("4000 descriptors", 0);
    report_and_keep_playing();
}
