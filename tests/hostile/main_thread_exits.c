/* Ends its main thread, which leaves a zombie entry in /proc, and keeps playing in another, which
 * is allowed. */

#include "attack.h"

#include <pthread.h>

static void *play(void *nothing)
{
    (void)nothing;
    keep_playing();
}

int main(void)
{
    pthread_t thread;

    start_attack();
    if (pthread_create(&thread, NULL, play, NULL) != 0)
        return 1;
    pthread_exit(NULL);
}
