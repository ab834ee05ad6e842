/* Fills 1200 MB of shared anonymous memory, which no limit of data counts. */

#include "attack.h"

#include <sys/mman.h>

#define PIECE ((size_t)8 << 20)
#define PIECES 150

int main(void)
{
    demand_limits();
    await_moment();
    for (int i = 0; i < PIECES; i++) {
        char *piece = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        if (piece == MAP_FAILED) {
            (void)refused("shared memory", errno);
            conclude_and_play_on();
        }
        memset(piece, 1 + i % 100, PIECE);
    }
    await_end("1200 MB");
    conclude_and_play_on();
}
