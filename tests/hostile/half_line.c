/* Writes half of its answer and then nothing more. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    say(question_id);
    wait_forever();
}
