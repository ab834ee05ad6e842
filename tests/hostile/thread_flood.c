/* Starts threads until it cannot, at most 500: the process limit must stop it. */

#include "attack.h"

#include <limits.h>
#include <pthread.h>

#define THREADS 500

static void *idle(void *nothing)
{
    (void)nothing;
    wait_forever();
}

int main(void)
{
    pthread_attr_t small;
    pthread_t thread;

    require_limits();
    start_attack();
    (void)pthread_attr_init(&small);
    (void)pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    for (int i = 0; i < THREADS; i++) {
        int error = pthread_create(&thread, &small, idle, NULL);

        if (error != 0) {
            (void)note_refusal("a thread", error);
            report_and_keep_playing();
        }
    }
    (void)note_result("500 threads", 0);
    report_and_keep_playing();
}
