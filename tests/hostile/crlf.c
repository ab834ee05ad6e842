/* Ends its lines like a Windows program, which is no fault. */

#include "hostile.h"

int main(void)
{
    char line[LINE_BYTES];

    read_line(line);
    say("hello hostile legal=on\r\n");
    for (;;) {
        await_question();
        (void)printf("%s %s\r\n", question_id, legal_answer);
        (void)fflush(stdout);
    }
}
