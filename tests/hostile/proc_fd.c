/* Tries to open the referee's descriptors through /proc. */

#include "attack.h"

#define DESCRIPTORS 64

int main(void)
{
    start_attack();
    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        char name[20];

        (void)snprintf(name, sizeof name, "fd/%d", fd);
        (void)note_result("a descriptor of the referee", open_proc(referee_pid(), name));
    }
    report_and_keep_playing();
}
