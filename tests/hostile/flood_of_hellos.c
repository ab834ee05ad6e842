/* Says hello without end. */

#include "hostile.h"

int main(void)
{
    for (;;)
        say("hello hostile legal=on\n");
}
