/* Answers with a NUL byte in its line. */

#include "hostile.h"

int main(void)
{
    static const char line[] = " a\0b\n";

    say_hello();
    wait_for_question();
    (void)fputs(question_id, stdout);
    (void)fwrite(line, 1, sizeof line - 1, stdout);
    (void)fflush(stdout);
    wait_forever();
}
