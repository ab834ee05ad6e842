/* Answers with a letter that is not ASCII, a control character and a backslash. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    (void)printf("%s n\xc3\xb6\033[2J\\\n", question_id);
    (void)fflush(stdout);
    stay();
}
