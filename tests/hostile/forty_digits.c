/* Answers with a question number of forty digits that becomes the right number if it overflows. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    (void)printf("5444517870735015415413993718908291383297 %s\n", legal_answer);
    (void)fflush(stdout);
    wait_forever();
}
