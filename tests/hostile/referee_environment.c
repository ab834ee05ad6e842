/* Tries to read the referee's environment. */

#include "attack.h"

int main(void)
{
    char bytes[4096];
    int fd;

    start_attack();
    fd = open_proc(referee_pid(), "environ");
    if (note_result("", fd))
        (void)note_result("the environment of the referee", read(fd, bytes, sizeof bytes));
    report_and_keep_playing();
}
