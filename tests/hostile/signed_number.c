/* Answers with a sign before the question number. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    say("+");
    keep_playing();
}
