/* Says hello and in the same breath gives an answer that nobody has asked for. */

#include "hostile.h"

int main(void)
{
    char line[LINE_BYTES];

    read_line(line);
    say("hello hostile legal=on\n0 pile\n");
    for (;;) {
        await_question();
        answer();
    }
}
