/* Writes an answer without a newline and exits. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    (void)printf("%s %s", question_id, legal_answer);
    return 0;
}
