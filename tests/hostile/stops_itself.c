/* Stops itself (SIGSTOP) when it is asked. */

#include "hostile.h"

#include <signal.h>

int main(void)
{
    greet();
    await_question();
    (void)raise(SIGSTOP);
    stay();
}
