/* Talks without end before it answers. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    for (;;)
        say("say I wonder\n");
}
