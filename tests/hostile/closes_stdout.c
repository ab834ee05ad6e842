/* Closes its output at its first question and keeps running. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    close(STDOUT_FILENO);
    wait_forever();
}
