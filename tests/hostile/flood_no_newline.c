/* Writes letters without end and never a line end. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    for (;;)
        say("xxxxxxxxxxxxxxxx");
}
