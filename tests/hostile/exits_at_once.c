/* Writes an error message and exits before its hello. */

#include "hostile.h"

int main(void)
{
    (void)fputs("reading the book\ncannot find \033[31mthe book\n", stderr);
    return 1;
}
