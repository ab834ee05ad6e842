/* Says hello and never reads anything. */

#include "hostile.h"

int main(void)
{
    say("hello hostile legal=on\n");
    wait_forever();
}
