/* Gives one legal answer and exits. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    answer();
    return 0;
}
