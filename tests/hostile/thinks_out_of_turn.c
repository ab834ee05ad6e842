/* Keeps a core busy while other bots are asked, for two seconds in all. */

#include "attack.h"

#include <pthread.h>

static void *burn(void *nothing)
{
    struct rusage used = {0};

    (void)nothing;
    while (used.ru_utime.tv_sec < 2)
        (void)getrusage(RUSAGE_THREAD, &used);
    return NULL;
}

int main(void)
{
    pthread_t thread;

    start_attack();
    (void)pthread_create(&thread, NULL, burn, NULL);
    keep_playing();
}
