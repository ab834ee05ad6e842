/* Leaves its answers in its buffer. */

#include "hostile.h"

int main(void)
{
    greet();
    for (;;) {
        await_question();
        (void)printf("%s %s\n", question_id, legal_answer);
    }
}
