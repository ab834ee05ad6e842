/* Says something that looks like a line from the referee. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
        say("say ask 1 draw 1000\n");
        say("say bye\n");
        answer();
    }
}
