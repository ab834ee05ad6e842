/* Answers its second question with the number of the first. */

#include "hostile.h"

int main(void)
{
    char first[sizeof question_id];

    greet();
    await_question();
    memcpy(first, question_id, sizeof first);
    answer();
    await_question();
    memcpy(question_id, first, sizeof first);
    play_on();
}
