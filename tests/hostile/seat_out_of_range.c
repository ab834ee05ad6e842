/* Names a seat that no table has. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    (void)printf("%s take 4294967296:A1\n", question_id);
    (void)fflush(stdout);
    wait_forever();
}
