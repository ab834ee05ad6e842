/* Recurses until its stack overflows. */

#include "attack.h"

static int recurse(volatile char *above)
{
    volatile char room[4096];

    room[0] = above[0];
    return above[0] == 1 ? 0 : recurse(room) + room[0];
}

int main(void)
{
    volatile char first[1] = {0};

    start_attack();
    return recurse(first);
}
