/* Writes to its input and reads from its output. */

#include "hostile.h"

int main(void)
{
    char byte = 'x';

    say_hello();
    wait_for_question();
    (void)!write(STDIN_FILENO, &byte, 1);
    (void)!read(STDOUT_FILENO, &byte, 1);
    (void)lseek(STDIN_FILENO, 0, SEEK_SET);
    keep_playing();
}
