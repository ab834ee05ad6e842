/* Gives an answer that would be right at another time. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    (void)printf("%s accept 3\n", question_id);
    (void)fflush(stdout);
    stay();
}
