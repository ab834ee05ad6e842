/* Tries to send messages to an accomplice through a POSIX queue. */

#include "attack.h"

#include <mqueue.h>

int main(void)
{
    mqd_t queue;

    start_attack();
    queue = mq_open("/hostile", O_RDWR | O_CREAT | O_CLOEXEC, 0600, NULL);
    if (note_result("a POSIX queue", queue))
        (void)mq_unlink("/hostile");
    report_and_keep_playing();
}
