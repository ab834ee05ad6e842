/* Reads the greeting and never says hello. */

#include "hostile.h"

int main(void)
{
    for (;;)
        await_question();
}
