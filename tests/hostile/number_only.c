/* Answers with the number of the question and nothing else. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    (void)printf("%s\n", question_id);
    (void)fflush(stdout);
    stay();
}
