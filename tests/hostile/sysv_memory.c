/* Shares memory with an accomplice by SysV. */

#include "attack.h"

#include <sys/ipc.h>
#include <sys/shm.h>

#define KEY 0x484f5354

int main(void)
{
    int id;

    await_moment();
    id = shmget(KEY, 4096, IPC_CREAT | 0600);
    if (tried("SysV memory", id))
        (void)shmctl(id, IPC_RMID, NULL);
    conclude_and_play_on();
}
