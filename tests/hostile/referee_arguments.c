/* Tries to read the referee's command line, which may contain the seed. */

#include "attack.h"

int main(void)
{
    char bytes[4096];
    int fd;

    start_attack();
    fd = open_proc(referee_pid(), "cmdline");
    if (note_result("", fd))
        (void)note_result("the command line of the referee", read(fd, bytes, sizeof bytes));
    report_and_keep_playing();
}
