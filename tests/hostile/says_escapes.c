/* Says something that clears the screen. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    say("say \033[2J\033[31mI own this terminal\n");
    play_on();
}
