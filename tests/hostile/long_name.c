/* Has a name of two hundred characters. */

#include "hostile.h"

int main(void)
{
    (void)printf("hello ");
    for (int i = 0; i < 200; i++)
        (void)putchar('n');
    say("\n");
    wait_forever();
}
