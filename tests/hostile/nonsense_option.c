/* Sets an option of its hello to a value that is neither on nor off. */

#include "hostile.h"

int main(void)
{
    say("hello hostile legal=maybe\n");
    wait_forever();
}
