/* Crashes at its first question. */

#include "hostile.h"

#include <signal.h>

int main(void)
{
    say_hello();
    wait_for_question();
    (void)fputs("about to crash\n", stderr);
    (void)kill(getpid(), SIGSEGV);
    wait_forever();
}
