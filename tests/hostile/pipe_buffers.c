/* Enlarges its own pipes as far as it goes, and keeps dozens of full ones. */

#include "attack.h"

#define PIPES 64
#define LARGE (1 << 20)

static char bytes[LARGE];

int main(void)
{
    (void)fcntl(STDIN_FILENO, F_SETPIPE_SZ, LARGE);
    (void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, LARGE);
    (void)fcntl(STDERR_FILENO, F_SETPIPE_SZ, LARGE);
    await_moment();
    for (int i = 0; i < PIPES; i++) {
        int ends[2];

        if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0)
            break;
        (void)fcntl(ends[1], F_SETPIPE_SZ, LARGE);
        (void)!write(ends[1], bytes, sizeof bytes);
    }
    play_on();
}
