/* Gives a good answer and half of another line, which waits there for the next question. */

#include "hostile.h"

int main(void)
{
    greet();
    for (;;) {
        await_question();
        (void)printf("%s %s\nhalf a", question_id, legal_answer);
        (void)fflush(stdout);
    }
}
