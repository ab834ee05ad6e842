/* Has a name that a careless printf would interpret. */

#include "hostile.h"

int main(void)
{
    say("hello %s%s%s%n%n%n\n");
    wait_forever();
}
