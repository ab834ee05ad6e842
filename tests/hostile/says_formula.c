/* Says something that a spreadsheet would evaluate. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
        say("say =cmd|' /C calc'!A0,\"x\";+1-1@SUM(1)\n");
        answer();
    }
}
