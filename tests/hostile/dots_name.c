/* Has the name of the folder above, which the protocol allows: no file is named by a bot. */

#include "hostile.h"

int main(void)
{
    say("hello .. legal=on\n");
    await_question();
    play_on();
}
