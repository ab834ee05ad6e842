/* Starts as many threads as it is let, and they stay. It stops at 500. */

#include "attack.h"

#include <limits.h>
#include <pthread.h>

#define THREADS 500

static void *idle(void *nothing)
{
    (void)nothing;
    stay();
}

int main(void)
{
    pthread_attr_t small;
    pthread_t thread;

    demand_limits();
    await_moment();
    (void)pthread_attr_init(&small);
    (void)pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    for (int i = 0; i < THREADS; i++) {
        int error = pthread_create(&thread, &small, idle, NULL);

        if (error != 0) {
            (void)refused("a thread", error);
            conclude_and_play_on();
        }
    }
    (void)tried("500 threads", 0);
    conclude_and_play_on();
}
