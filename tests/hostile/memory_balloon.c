/* Fills 1200 MB of memory, or as much as it gets: the memory limit must stop it. */

#include "attack.h"

#define PIECE ((size_t)8 << 20)
#define PIECES 150

int main(void)
{
    require_limits();
    start_attack();
    for (int i = 0; i < PIECES; i++) {
        char *piece = malloc(PIECE);

        if (piece == NULL) {
            (void)note_refusal("memory", errno);
            report_and_keep_playing();
        }
        memset(piece, 1 + i % 100, PIECE);
    }
    wait_to_be_killed("1200 MB");
    report_and_keep_playing();
}
