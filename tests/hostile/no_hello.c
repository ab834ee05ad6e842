/* Reads its input and never says hello. */

#include "hostile.h"

int main(void)
{
    for (;;)
        wait_for_question();
}
