/* Says what a spreadsheet would compute. */

#include "hostile.h"

int main(void)
{
    greet();
    for (;;) {
        await_question();
        say("say =cmd|' /C calc'!A0,\"x\";+1-1@SUM(1)\n");
        answer();
    }
}
