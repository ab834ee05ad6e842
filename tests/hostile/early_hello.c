/* Says hello before it has read anything, and is a good bot after that. */

#include "hostile.h"

int main(void)
{
    say("hello hostile legal=on\n");
    for (;;) {
        await_question();
        answer();
    }
}
