/* Closes its input after the hello and lives on. */

#include "hostile.h"

int main(void)
{
    greet();
    close(STDIN_FILENO);
    stay();
}
