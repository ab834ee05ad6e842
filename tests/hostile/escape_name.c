/* Has a name that clears the screen and sets the title of the terminal. */

#include "hostile.h"

int main(void)
{
    say("hello \033[2J\033]0;owned\007\n");
    wait_forever();
}
