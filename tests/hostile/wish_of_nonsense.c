/* Wishes something that is neither on nor off. */

#include "hostile.h"

int main(void)
{
    say("hello hostile legal=maybe\n");
    stay();
}
