/* Gives one good answer and ends. */

#include "hostile.h"

int main(void)
{
    greet();
    await_question();
    answer();
    return 0;
}
