/* Says three things before its answer, where two are allowed. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    say("say one\nsay two\nsay three\n");
    play_on();
}
