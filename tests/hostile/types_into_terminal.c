/* Tries to type one space into the organiser's terminal (TIOCSTI). */

#include "attack.h"

#include <sys/ioctl.h>

int main(void)
{
    static const char *const paths[] = {"/dev/tty", "/dev/console", "/dev/tty1", "/dev/pts/0"};

    start_attack();
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        (void)note_result("a key press", ioctl(fd, TIOCSTI, " "));
    /* Other terminals are only opened: nothing is typed into them. */
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        (void)note_result(paths[i], open(paths[i], O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    report_and_keep_playing();
}
