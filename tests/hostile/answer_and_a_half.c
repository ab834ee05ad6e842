/* Sends a legal answer and half of another line, which waits there for the next question. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
        (void)printf("%s %s\nhalf a", question_id, legal_answer);
        (void)fflush(stdout);
    }
}
