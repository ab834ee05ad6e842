/* Ends its lines with CR LF as on Windows, which is allowed. */

#include "hostile.h"

int main(void)
{
    char line[LINE_BYTES];

    read_line(line);
    say("hello hostile legal=on\r\n");
    for (;;) {
        wait_for_question();
        (void)printf("%s %s\r\n", question_id, legal_answer);
        (void)fflush(stdout);
    }
}
