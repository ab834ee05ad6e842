/* Has a name that is a script. */

#include "hostile.h"

int main(void)
{
    say("hello <script>alert(1)</script>\n");
    stay();
}
