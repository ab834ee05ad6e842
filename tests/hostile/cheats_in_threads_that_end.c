/* Uses CPU time in many short threads, one after the other: what has ended might not be counted. */

#include "cheat.h"

#include <pthread.h>

#define PIECE_US 2000

static void *burn_piece(void *us)
{
    burn_us(*(long *)us);
    return NULL;
}

static void burn(long us)
{
    for (long piece_us = PIECE_US; us > 0; us -= piece_us) {
        pthread_t thread;

        piece_us = us < piece_us ? us : piece_us;
        if (pthread_create(&thread, NULL, burn_piece, &piece_us) == 0)
            (void)pthread_join(thread, NULL);
    }
}

int main(int argc, char **argv)
{
    cheat(argc, argv, burn);
}
