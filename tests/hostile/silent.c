/* Reads every question and never answers. */

#include "hostile.h"

int main(void)
{
    greet();
    for (;;)
        await_question();
}
