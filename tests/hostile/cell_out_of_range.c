/* Names a cell that no display has. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    (void)printf("%s turn Z9\n", question_id);
    (void)fflush(stdout);
    stay();
}
