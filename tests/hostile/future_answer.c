/* Answers with the number of the next question. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    (void)printf("%ld %s\n", strtol(question_id, NULL, 10) + 1, legal_answer);
    (void)fflush(stdout);
    wait_forever();
}
