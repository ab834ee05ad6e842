/* Never flushes its output, so its answers stay in its buffer. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
        (void)printf("%s %s\n", question_id, legal_answer);
    }
}
