/* Sends `say` lines without end and never answers. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    for (;;)
        say("say I wonder\n");
}
