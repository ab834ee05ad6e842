/* Ends its first thread, which leaves a zombie with the name of the process, and plays on in another. */

#include "attack.h"

#include <pthread.h>

static void *play(void *nothing)
{
    (void)nothing;
    play_on();
}

int main(void)
{
    pthread_t thread;

    await_moment();
    if (pthread_create(&thread, NULL, play, NULL) != 0)
        return 1;
    pthread_exit(NULL);
}
