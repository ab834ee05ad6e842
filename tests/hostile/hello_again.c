/* Says hello again before its first answer. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    say("hello again legal=on\n");
    keep_playing();
}
