/* Says hello without end, a hundred times at once. */

#include "hostile.h"

int main(void)
{
    for (;;) {
        for (int i = 0; i < 100; i++)
            (void)fputs("hello hostile legal=on\n", stdout);
        (void)fflush(stdout);
    }
}
