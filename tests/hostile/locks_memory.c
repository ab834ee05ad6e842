/* Wants its memory to stay in memory: 64 MB of it. */

#include "attack.h"

#include <sys/mman.h>

#define SIZE ((size_t)64 << 20)

int main(void)
{
    char *memory;

    await_moment();
    memory = malloc(SIZE);
    if (memory != NULL)
        (void)tried("64 MB locked", mlock(memory, SIZE));
    else
        (void)refused("64 MB", ENOMEM);
    free(memory);
    conclude_and_play_on();
}
