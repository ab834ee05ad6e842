/* Writes lines without end from its first answer on, a hundred at a time, asked or not. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    for (;;) {
        (void)printf("%s %s\n", question_id, legal_answer);
        for (int i = 0; i < 100; i++)
            (void)fputs("1 pass\n", stdout);
        (void)fflush(stdout);
    }
}
