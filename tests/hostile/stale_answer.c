/* Answers its second question with the number of the first. */

#include "hostile.h"

int main(void)
{
    char first[sizeof question_id];

    say_hello();
    wait_for_question();
    memcpy(first, question_id, sizeof first);
    answer();
    wait_for_question();
    memcpy(question_id, first, sizeof first);
    keep_playing();
}
