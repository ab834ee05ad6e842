/* Says what a careless printf would follow. */

#include "hostile.h"

int main(void)
{
    greet();
    for (;;) {
        await_question();
        say("say %s%s%s%n%n%n %1000000d %p\n");
        answer();
    }
}
