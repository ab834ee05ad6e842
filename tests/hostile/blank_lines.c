/* Writes an empty line before its answer. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    say("\n");
    answer();
    stay();
}
