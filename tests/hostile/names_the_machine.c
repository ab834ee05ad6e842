/* Gives the machine the name that it has: what counts is whether it may. */

#include "attack.h"

int main(void)
{
    char name[256];

    await_moment();
    if (tried("", gethostname(name, sizeof name)))
        (void)tried("the name of the machine", sethostname(name, strlen(name)));
    conclude_and_play_on();
}
