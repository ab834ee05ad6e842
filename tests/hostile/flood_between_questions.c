/* Writes lines without end from its first answer on, whether it is asked or not. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    answer();
    for (;;)
        say("1 pass\n");
}
