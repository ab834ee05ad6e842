/* Writes lines without end from its first answer on, a hundred at once, whether it is asked or not. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    for (;;) {
        (void)printf("%s %s\n", question_id, legal_answer);
        for (int i = 0; i < 100; i++)
            (void)fputs("1 pass\n", stdout);
        (void)fflush(stdout);
    }
}
