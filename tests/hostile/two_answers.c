/* Gives every answer twice, in one piece. */

#include "hostile.h"

int main(void)
{
    greet();
    for (;;) {
        await_question();
        (void)printf("%s %s\n%s %s\n", question_id, legal_answer, question_id, legal_answer);
        (void)fflush(stdout);
    }
}
