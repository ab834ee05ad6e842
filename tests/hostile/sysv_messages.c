/* Tries to reach an accomplice through System V message queues and semaphores. */

#include "attack.h"

#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#define KEY 0x484f5354

int main(void)
{
    int queue;
    int semaphores;

    start_attack();
    queue = msgget(KEY, IPC_CREAT | 0600);
    if (note_result("a System V message queue", queue))
        (void)msgctl(queue, IPC_RMID, NULL);
    semaphores = semget(KEY, 1, IPC_CREAT | 0600);
    if (note_result("System V semaphores", semaphores))
        (void)semctl(semaphores, 0, IPC_RMID);
    report_and_keep_playing();
}
