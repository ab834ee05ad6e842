/* Looks whether it has a capability left, or can ever get one. */

#include "attack.h"

int main(void)
{
    char line[200];
    unsigned long long held = 0;
    FILE *file;

    await_moment();
    file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "CapEff: %llx", &held) == 1 && held != 0)
            (void)tried("a capability", 0);
    }
    (void)tried("a way out of its root", chroot("/"));
    conclude_and_play_on();
}
