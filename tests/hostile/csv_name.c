/* Has a name that a spreadsheet would evaluate. */

#include "hostile.h"

int main(void)
{
    say("hello =1+1,\"x\"\n");
    wait_forever();
}
