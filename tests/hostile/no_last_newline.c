/* Gives a whole answer but for its line end, and ends. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    (void)printf("%s %s", question_id, legal_answer);
    return 0;
}
