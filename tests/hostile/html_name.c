/* Has a name that is a script in HTML. */

#include "hostile.h"

int main(void)
{
    say("hello <script>alert(1)</script>\n");
    wait_forever();
}
