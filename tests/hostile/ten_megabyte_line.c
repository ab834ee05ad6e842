/* Answers with one line of ten megabytes. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    (void)printf("%s ", question_id);
    for (long i = 0; i < 10L * 1024 * 1024; i++)
        (void)putchar('x');
    say("\n");
    wait_forever();
}
