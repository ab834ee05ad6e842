/* Answers with random bytes. */

#include "hostile.h"

int main(void)
{
    unsigned state = 12345;

    say_hello();
    wait_for_question();
    for (int i = 0; i < 200; i++) {
        state = state * 1103515245 + 12345;
        (void)putchar((int)(state >> 16 & 0xff));
    }
    say("\n");
    wait_forever();
}
