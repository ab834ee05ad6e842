/* Ignores every signal that can be ignored and the end of its input, and answers only once. */

#include "hostile.h"

#include <signal.h>

int main(void)
{
    for (int number = 1; number < NSIG; number++)
        (void)signal(number, SIG_IGN);
    say_hello();
    wait_for_question();
    answer();
    wait_forever();
}
