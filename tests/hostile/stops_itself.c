/* Stops itself (SIGSTOP) at its first question. */

#include "hostile.h"

#include <signal.h>

int main(void)
{
    say_hello();
    wait_for_question();
    (void)raise(SIGSTOP);
    wait_forever();
}
