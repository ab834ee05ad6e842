/* Calls itself until its stack is used up. */

#include "attack.h"

static int sink(volatile char *above)
{
    volatile char room[4096];

    room[0] = above[0];
    return above[0] == 1 ? 0 : sink(room) + room[0];
}

int main(void)
{
    volatile char first[1] = {0};

    await_moment();
    return sink(first);
}
