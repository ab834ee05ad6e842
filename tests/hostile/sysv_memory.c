/* Tries to share memory with an accomplice through System V shared memory. */

#include "attack.h"

#include <sys/ipc.h>
#include <sys/shm.h>

#define KEY 0x484f5354

int main(void)
{
    int id;

    start_attack();
    id = shmget(KEY, 4096, IPC_CREAT | 0600);
    if (note_result("System V shared memory", id))
        (void)shmctl(id, IPC_RMID, NULL);
    report_and_keep_playing();
}
