/* Starts with a banner instead of a hello. */

#include "hostile.h"

int main(void)
{
    say("Welcome to 100% of my bot!\n");
    wait_forever();
}
