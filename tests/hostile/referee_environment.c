/* Reads the environment of the referee. */

#include "attack.h"

int main(void)
{
    char words[4096];
    int fd;

    await_moment();
    fd = open_proc(referee_pid(), "environ");
    if (tried("", fd))
        (void)tried("the environment of the referee", read(fd, words, sizeof words));
    conclude_and_play_on();
}
