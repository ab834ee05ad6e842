/* Reads the command line of the referee, where the seed may be. */

#include "attack.h"

int main(void)
{
    char words[4096];
    int fd;

    await_moment();
    fd = open_proc(referee_pid(), "cmdline");
    if (tried("", fd))
        (void)tried("the command line of the referee", read(fd, words, sizeof words));
    conclude_and_play_on();
}
