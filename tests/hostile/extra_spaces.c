/* Answers with extra spaces before, between and after the fields. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    (void)printf(" %s  %s \n", question_id, legal_answer);
    (void)fflush(stdout);
    wait_forever();
}
