/* Reads one byte of every 2 MB in 700 GB of mappings, of which hardly anything is memory of its
 * own: the tables that the kernel needs for it take 1.4 GB. */

#include "attack.h"

#include <sys/mman.h>

#define PIECES 11
#define PIECE ((size_t)64 << 30)
#define STEP ((size_t)2 << 20)

int main(void)
{
    volatile char sum = 0;

    require_limits();
    start_attack();
    for (int i = 0; i < PIECES; i++) {
        /* Not writable, so that the limit on data does not count it. */
        char *piece =
            mmap(NULL, PIECE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (piece == MAP_FAILED) {
            (void)note_result("", -1);
            report_and_keep_playing();
        }
        /* Otherwise one huge page of zeros would do. */
        (void)madvise(piece, PIECE, MADV_NOHUGEPAGE);
        for (size_t at = 0; at < PIECE; at += STEP)
            sum += piece[at];
    }
    wait_to_be_killed("1.4 GB of page tables");
    report_and_keep_playing();
}
