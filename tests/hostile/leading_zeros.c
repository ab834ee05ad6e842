/* Answers with zeros before the question number. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    say("000");
    keep_playing();
}
