/* Ends when it is asked, but leaves a child behind that holds all its pipes open. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    if (fork() == 0)
        stay();
    return 3;
}
