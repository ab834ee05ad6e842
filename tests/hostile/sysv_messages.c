/* Sends messages to an accomplice by SysV queues and semaphores. */

#include "attack.h"

#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#define KEY 0x484f5354

int main(void)
{
    int queue;
    int semaphores;

    await_moment();
    queue = msgget(KEY, IPC_CREAT | 0600);
    if (tried("a SysV queue", queue))
        (void)msgctl(queue, IPC_RMID, NULL);
    semaphores = semget(KEY, 1, IPC_CREAT | 0600);
    if (tried("SysV semaphores", semaphores))
        (void)semctl(semaphores, 0, IPC_RMID);
    conclude_and_play_on();
}
