/* Plays well: the opponent of the hostile programs. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
        answer();
    }
}
