/* Answers every question: what the others would be if they were not hostile. */

#include "hostile.h"

int main(void)
{
    greet();
    for (;;) {
        await_question();
        answer();
    }
}
