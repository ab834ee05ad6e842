/* Sends an empty line before its answer. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    say("\n");
    answer();
    wait_forever();
}
