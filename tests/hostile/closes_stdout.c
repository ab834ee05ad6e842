/* Closes its output when it is asked and lives on. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    close(STDOUT_FILENO);
    stay();
}
