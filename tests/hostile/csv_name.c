/* Has a name that a spreadsheet would compute. */

#include "hostile.h"

int main(void)
{
    say("hello =1+1,\"x\"\n");
    stay();
}
