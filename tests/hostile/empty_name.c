/* Has an empty name. */

#include "hostile.h"

int main(void)
{
    say("hello \n");
    wait_forever();
}
