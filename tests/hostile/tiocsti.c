/* Types into the terminal of the organiser: one space. */

#include "attack.h"

#include <sys/ioctl.h>

int main(void)
{
    static const char *const paths[] = {"/dev/tty", "/dev/console", "/dev/tty1", "/dev/pts/0"};

    await_moment();
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        (void)tried("a key press", ioctl(fd, TIOCSTI, " "));
    /* A terminal of somebody else is opened and not typed into. */
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        (void)tried(paths[i], open(paths[i], O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    conclude_and_play_on();
}
