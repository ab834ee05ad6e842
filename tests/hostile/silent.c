/* Reads every question and never answers. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;)
        wait_for_question();
}
