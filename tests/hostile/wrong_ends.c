/* Writes to its input and reads its output. */

#include "hostile.h"

int main(void)
{
    char byte = 'x';

    greet();
    await_question();
    (void)!write(STDIN_FILENO, &byte, 1);
    (void)!read(STDOUT_FILENO, &byte, 1);
    (void)lseek(STDIN_FILENO, 0, SEEK_SET);
    play_on();
}
