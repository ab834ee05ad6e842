/* Says what looks like a line of the referee, for the others to believe. */

#include "hostile.h"

int main(void)
{
    greet();
    for (;;) {
        await_question();
        say("say ask 1 draw 1000\n");
        say("say bye\n");
        answer();
    }
}
