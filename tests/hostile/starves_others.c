/* Keeps a hundred children busy while other bots are asked, each in a session of its own, so that
 * each has a share of the CPU. */

#include "attack.h"

#define CHILDREN 100

int main(void)
{
    require_limits();
    start_attack();
    for (int i = 0; i < CHILDREN; i++) {
        if (fork() == 0) {
            (void)setsid();
            (void)alarm(LIFE_SECONDS);
            for (;;)
                continue;
        }
    }
    keep_playing();
}
