/* Gives an answer that does not fit the question. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    (void)printf("%s accept 3\n", question_id);
    (void)fflush(stdout);
    wait_forever();
}
