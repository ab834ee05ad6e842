/* Says one byte more than may be said. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    (void)printf("say ");
    for (int i = 0; i < 121; i++)
        (void)putchar('x');
    say("\n");
    play_on();
}
