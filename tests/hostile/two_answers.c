/* Sends every answer twice in one write. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
        (void)printf("%s %s\n%s %s\n", question_id, legal_answer, question_id, legal_answer);
        (void)fflush(stdout);
    }
}
