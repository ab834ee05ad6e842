/* Answers with a number of forty digits, which is that of the question for whoever lets it wrap. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    (void)printf("5444517870735015415413993718908291383297 %s\n", legal_answer);
    (void)fflush(stdout);
    stay();
}
