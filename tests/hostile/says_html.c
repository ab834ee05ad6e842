/* Says a script, and the end of a script. */

#include "hostile.h"

int main(void)
{
    greet();
    for (;;) {
        await_question();
        say("say </script><script>alert(1)</script>\n");
        say("say <img src=x onerror=alert(1)> &lt; <!--\n");
        answer();
    }
}
