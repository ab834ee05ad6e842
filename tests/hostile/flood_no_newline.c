/* Writes characters without end and never a newline. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    for (;;)
        say("xxxxxxxxxxxxxxxx");
}
