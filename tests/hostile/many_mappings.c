/* Splits its memory into as many mappings as the kernel allows. */

#include "attack.h"

#include <sys/mman.h>

#define MAPPINGS 100000

int main(void)
{
    long page = sysconf(_SC_PAGESIZE);

    start_attack();
    for (int i = 0; i < MAPPINGS; i++) {
        int access = i % 2 == 0 ? PROT_READ : PROT_NONE;

        if (mmap(NULL, (size_t)page, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
            break;
    }
    keep_playing();
}
