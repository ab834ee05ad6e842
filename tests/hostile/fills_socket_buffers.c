/* Fills the buffers of socket pairs, in several processes, with more than 1.3 GB together. */

#include "attack.h"

#include <sys/socket.h>

#define CHILDREN 100
#define PAIRS 60
#define MESSAGE ((size_t)64 << 10)
#define BYTES_EACH ((long)14 << 20)

static char message[MESSAGE];

/* Returns how much a pair takes. */
static long fill_pair(int size)
{
    int ends[2];
    long taken = 0;
    ssize_t sent = 0;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    for (int i = 0; i < 2; i++)
        (void)setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    for (int i = 0; i < 2; i++) {
        while ((sent = send(ends[i], message, sizeof message, MSG_DONTWAIT)) > 0)
            taken += sent;
    }
    return taken;
}

/* Says by a byte that its buffers are full, and keeps them. */
static _Noreturn void fill_in_child(int report)
{
    long taken = 0;
    long more = 0;

    for (int i = 0; i < PAIRS && taken < BYTES_EACH && more >= 0; i++) {
        more = fill_pair(1 << 30);
        taken += more > 0 ? more : 0;
    }
    (void)!write(report, taken >= BYTES_EACH ? "f" : "-", 1);
    linger();
}

int main(void)
{
    int ends[2];
    int full = 0;
    char word;

    require_limits();
    start_attack();
    if (!note_result("", pipe(ends)))
        report_and_keep_playing();
    for (int i = 0; i < CHILDREN; i++) {
        pid_t child = fork();

        if (child == 0)
            fill_in_child(ends[1]);
        if (child < 0 || read(ends[0], &word, 1) != 1)
            break;
        full += word == 'f';
    }
    if (full == CHILDREN)
        wait_to_be_killed("1.4 GB in buffers of sockets");
    (void)note_refusal("", ENOBUFS);
    report_and_keep_playing();
}
