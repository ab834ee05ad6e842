/* Has a FIFO in its folder: a careless copy of the folder would block on it. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    keep_playing();
}
