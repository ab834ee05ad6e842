/* Answers with the question number and nothing else. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    (void)printf("%s\n", question_id);
    (void)fflush(stdout);
    wait_forever();
}
