/* Says hello and reads nothing, ever. */

#include "hostile.h"

int main(void)
{
    say("hello hostile legal=on\n");
    stay();
}
