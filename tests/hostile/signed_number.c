/* Answers with a sign before the number of the question. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    say("+");
    play_on();
}
