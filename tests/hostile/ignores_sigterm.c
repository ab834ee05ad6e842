/* Answers well, but neither the end of its input nor any signal that can be refused ends it. */

#include "hostile.h"

#include <signal.h>

int main(void)
{
    for (int number = 1; number < NSIG; number++)
        (void)signal(number, SIG_IGN);
    greet();
    await_question();
    answer();
    stay();
}
