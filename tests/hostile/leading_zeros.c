/* Answers with zeros before the number of the question. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    say("000");
    play_on();
}
