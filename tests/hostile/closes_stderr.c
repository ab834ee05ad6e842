/* Closes stderr and reuses its descriptor for another file, which is allowed. */

#include "hostile.h"

#include <fcntl.h>

int main(void)
{
    (void)close(STDERR_FILENO);
    (void)open("/dev/null", O_RDONLY);
    say_hello();
    wait_for_question();
    keep_playing();
}
