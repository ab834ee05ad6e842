/* Closes its input before its hello and keeps running. */

#include "hostile.h"

int main(void)
{
    char line[LINE_BYTES];

    read_line(line);
    close(STDIN_FILENO);
    say("hello hostile legal=on\n");
    wait_forever();
}
