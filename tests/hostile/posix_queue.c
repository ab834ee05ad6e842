/* Sends messages to an accomplice by a POSIX queue. */

#include "attack.h"

#include <mqueue.h>

int main(void)
{
    mqd_t queue;

    await_moment();
    queue = mq_open("/hostile", O_RDWR | O_CREAT | O_CLOEXEC, 0600, NULL);
    if (tried("a POSIX queue", queue))
        (void)mq_unlink("/hostile");
    conclude_and_play_on();
}
