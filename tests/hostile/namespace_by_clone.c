/* Tries to get a user namespace by clone, and by clone3, whose arguments a filter cannot read. */

#include "attack.h"

#include <linux/sched.h>
#include <sys/syscall.h>

static bool note_child(const char *what, long pid)
{
    if (pid == 0)
        _exit(0);
    if (pid > 0)
        (void)waitpid((pid_t)pid, NULL, 0);
    return note_result(what, pid);
}

int main(void)
{
    struct clone_args arguments = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};

    start_attack();
    (void)note_child("a namespace by clone3", syscall(SYS_clone3, &arguments, sizeof arguments));
    (void)note_child("a namespace by clone",
                     syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL));
    report_and_keep_playing();
}
