/* Repeats its answer as fast as the pipe takes it. */

#include "hostile.h"

int main(void)
{
    static char lines[4096];
    size_t length = 0;

    say_hello();
    wait_for_question();
    while (length + ANSWER_BYTES < sizeof lines)
        length += (size_t)snprintf(lines + length, sizeof lines - length, "%s %s\n", question_id,
                                   legal_answer);
    while (write(STDOUT_FILENO, lines, length) > 0)
        ;
    return 1;
}
