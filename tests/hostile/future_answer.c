/* Answers a question that is yet to come. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    (void)printf("%ld %s\n", strtol(question_id, NULL, 10) + 1, legal_answer);
    (void)fflush(stdout);
    stay();
}
