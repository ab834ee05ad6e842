/* Keeps 5000 descriptors in flight in a socket, where they do not count as open. */

#include "attack.h"

#include <sys/socket.h>

#define MESSAGES 20
#define EACH 250

/* Sends one byte and EACH copies of a descriptor. */
static long send_copies(int socket)
{
    static union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(EACH * sizeof(int))];
    } control;
    char byte = 'x';
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control.bytes};
    int *copies = (int *)CMSG_DATA(&control.header);

    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(EACH * sizeof(int));
    for (int i = 0; i < EACH; i++)
        copies[i] = STDERR_FILENO;
    return sendmsg(socket, &message, MSG_DONTWAIT);
}

int main(void)
{
    int ends[2];
    int sent = 0;

    start_attack();
    if (!note_result("", socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)))
        report_and_keep_playing();
    while (sent < MESSAGES && note_result("", send_copies(ends[0])))
        sent++;
    if (sent == MESSAGES)
        (void)note_result("5000 descriptors", 0);
    report_and_keep_playing();
}
