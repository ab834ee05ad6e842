/* Uses CPU time in a hundred threads at once: there might be more of them than are counted, and
 * what they wait for each other might be forgiven. */

#include "cheat.h"

#include <pthread.h>

#define THREADS 100

static void *burn_share(void *us)
{
    burn_us(*(long *)us);
    return NULL;
}

static void burn(long us)
{
    pthread_t threads[THREADS];
    int started = 0;
    long share_us = us / THREADS;

    while (started < THREADS && pthread_create(&threads[started], NULL, burn_share, &share_us) == 0)
        started++;
    burn_us(share_us * (THREADS - started));
    for (int i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    cheat(argc, argv, burn);
}
