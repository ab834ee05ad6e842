/* Checks whether it has any capability left, and tries to use one. */

#include "attack.h"

int main(void)
{
    char line[200];
    unsigned long long held = 0;
    FILE *file;

    start_attack();
    file = fopen("/proc/self/status", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "CapEff: %llx", &held) == 1 && held != 0)
            (void)note_result("a capability", 0);
    }
    (void)note_result("chroot", chroot("/"));
    report_and_keep_playing();
}
