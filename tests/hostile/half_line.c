/* Writes half of its answer and then nothing more. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    say(question_id);
    stay();
}
