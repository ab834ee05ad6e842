/* Says hello at every question, before its answer. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    say("hello again legal=on\n");
    play_on();
}
