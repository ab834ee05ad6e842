/* Answers with a NUL in its line. */

#include "hostile.h"

int main(void)
{
    static const char line[] = " a\0b\n";

    greet();
    await_question();
    (void)fputs(question_id, stdout);
    (void)fwrite(line, 1, sizeof line - 1, stdout);
    (void)fflush(stdout);
    stay();
}
