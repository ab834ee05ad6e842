/* Makes its own ends of the pipes non-blocking: the referee's ends must not change. */

#include "hostile.h"

#include <fcntl.h>
#include <poll.h>

int main(void)
{
    static char bytes[LINE_BYTES];
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};

    (void)fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    (void)fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK);
    say("hello hostile legal=on\n");
    while (poll(&input, 1, -1) > 0) {
        ssize_t length = read(STDIN_FILENO, bytes, sizeof bytes - 1);
        const char *ask;

        if (length == 0)
            return 0;
        bytes[length > 0 ? length : 0] = '\0';
        ask = strstr(bytes, "ask ");
        if (ask != NULL && sscanf(ask, "ask %31s", question_id) == 1) {
            const char *legal = strstr(bytes, "legal ");

            if (legal != NULL)
                (void)sscanf(legal, "legal %399[^|\n]", legal_answer);
            answer();
        }
    }
    return 1;
}
