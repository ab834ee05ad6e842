/* Fills 1200 MB of memory, or as much as it gets. */

#include "attack.h"

#define PIECE ((size_t)8 << 20)
#define PIECES 150

int main(void)
{
    demand_limits();
    await_moment();
    for (int i = 0; i < PIECES; i++) {
        char *piece = malloc(PIECE);

        if (piece == NULL) {
            (void)refused("memory", errno);
            conclude_and_play_on();
        }
        memset(piece, 1 + i % 100, PIECE);
    }
    await_end("1200 MB");
    conclude_and_play_on();
}
