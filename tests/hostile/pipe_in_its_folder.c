/* Has a named pipe in its folder, at which whoever copies the folder would wait for ever. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    play_on();
}
