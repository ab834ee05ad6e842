/* Says something that clears the screen. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    say("say \033[2J\033[31mI own this terminal\n");
    keep_playing();
}
