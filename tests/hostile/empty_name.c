/* Has no name. */

#include "hostile.h"

int main(void)
{
    say("hello \n");
    stay();
}
