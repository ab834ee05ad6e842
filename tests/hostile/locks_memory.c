/* Tries to lock 64 MB of its memory. */

#include "attack.h"

#include <sys/mman.h>

#define SIZE ((size_t)64 << 20)

int main(void)
{
    char *memory;

    start_attack();
    memory = malloc(SIZE);
    if (memory != NULL)
        (void)note_result("64 MB of locked memory", mlock(memory, SIZE));
    else
        (void)note_refusal("64 MB", ENOMEM);
    free(memory);
    report_and_keep_playing();
}
