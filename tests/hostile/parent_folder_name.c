/* Has the name `..`, which is allowed: the referee never names a file after a bot. */

#include "hostile.h"

int main(void)
{
    say("hello .. legal=on\n");
    wait_for_question();
    keep_playing();
}
