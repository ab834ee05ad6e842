/* Names a cell that no display has. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    (void)printf("%s turn Z9\n", question_id);
    (void)fflush(stdout);
    wait_forever();
}
