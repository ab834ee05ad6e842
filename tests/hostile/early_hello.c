/* Says hello before it has read anything, and then plays well, which is allowed. */

#include "hostile.h"

int main(void)
{
    say("hello hostile legal=on\n");
    for (;;) {
        wait_for_question();
        answer();
    }
}
