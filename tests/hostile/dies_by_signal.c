/* Crashes when it is asked. */

#include "hostile.h"

#include <signal.h>

int main(void)
{
    greet();
    await_question();
    (void)fputs("about to crash\n", stderr);
    (void)kill(getpid(), SIGSEGV);
    stay();
}
