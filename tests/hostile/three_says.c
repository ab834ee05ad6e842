/* Sends three `say` lines before its answer, where two are allowed. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    say("say one\nsay two\nsay three\n");
    keep_playing();
}
