/* Writes a megabyte to stderr before each answer. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
        (void)fputs("first words\n", stderr);
        for (int i = 0; i < 64 * 1024; i++)
            (void)fputs("100%s of noise\n", stderr);
        (void)fputs("last words\n", stderr);
        answer();
    }
}
