/* Answers with a non-ASCII character, a control character and a backslash. */

#include "hostile.h"

int main(void)
{
    say_hello();
    wait_for_question();
    (void)printf("%s n\xc3\xb6\033[2J\\\n", question_id);
    (void)fflush(stdout);
    wait_forever();
}
