/* Says something that a careless printf would interpret. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
        say("say %s%s%s%n%n%n %1000000d %p\n");
        answer();
    }
}
