/* Tries to fill 1200 MB of shared anonymous memory, which RLIMIT_DATA does not count. */

#include "attack.h"

#include <sys/mman.h>

#define PIECE ((size_t)8 << 20)
#define PIECES 150

int main(void)
{
    require_limits();
    start_attack();
    for (int i = 0; i < PIECES; i++) {
        char *piece = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

        if (piece == MAP_FAILED) {
            (void)note_refusal("shared memory", errno);
            report_and_keep_playing();
        }
        memset(piece, 1 + i % 100, PIECE);
    }
    wait_to_be_killed("1200 MB");
    report_and_keep_playing();
}
