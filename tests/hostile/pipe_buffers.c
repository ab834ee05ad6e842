/* Enlarges its own pipes as far as it can and keeps dozens of full ones. */

#include "attack.h"

#define PIPES 64
#define PIPE_BYTES (1 << 20)

static char bytes[PIPE_BYTES];

int main(void)
{
    (void)fcntl(STDIN_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
    (void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
    (void)fcntl(STDERR_FILENO, F_SETPIPE_SZ, PIPE_BYTES);
    start_attack();
    for (int i = 0; i < PIPES; i++) {
        int ends[2];

        if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0)
            break;
        (void)fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
        (void)!write(ends[1], bytes, sizeof bytes);
    }
    keep_playing();
}
