/* Has a name that is a path. */

#include "hostile.h"

int main(void)
{
    say("hello ../../../etc/passwd\n");
    wait_forever();
}
