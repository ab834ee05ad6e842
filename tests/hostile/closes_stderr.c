/* Closes its stderr, and its number becomes that of a file of its own. */

#include "hostile.h"

#include <fcntl.h>

int main(void)
{
    (void)close(STDERR_FILENO);
    (void)open("/dev/null", O_RDONLY);
    greet();
    await_question();
    play_on();
}
