/* Says hello and at once gives an answer that nobody has asked for. */

#include "hostile.h"

int main(void)
{
    greet();
    say("0 pile\n");
    for (;;) {
        await_question();
        answer();
    }
}
