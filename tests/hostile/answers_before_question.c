/* Sends an unsolicited answer together with its hello. */

#include "hostile.h"

int main(void)
{
    char line[LINE_BYTES];

    read_line(line);
    say("hello hostile legal=on\n0 pile\n");
    for (;;) {
        wait_for_question();
        answer();
    }
}
