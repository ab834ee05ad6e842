/* Names a seat and a cell that no table has. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    (void)printf("%s take 4294967296:A1\n", question_id);
    (void)fflush(stdout);
    stay();
}
