/* Answers with spaces before, between and behind. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    (void)printf(" %s  %s \n", question_id, legal_answer);
    (void)fflush(stdout);
    stay();
}
