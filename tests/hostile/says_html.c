/* Says a script in HTML, and the end of one. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
        say("say </script><script>alert(1)</script>\n");
        say("say <img src=x onerror=alert(1)> &lt; <!--\n");
        answer();
    }
}
