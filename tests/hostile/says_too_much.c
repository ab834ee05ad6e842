/* Says one byte more than the limit. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    (void)printf("say ");
    for (int i = 0; i < 121; i++)
        (void)putchar('x');
    say("\n");
    keep_playing();
}
