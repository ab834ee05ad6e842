/* Says something that would end a log record and start another. */

#include "hostile.h"

int main(void)
{
    say_hello();
    for (;;) {
        wait_for_question();
        say("say \"],\"fault\":\"late\"}\\n{\"places\":[1,1,1,1,1,1]}\n");
        say("say \\u0000\\\" ' ` ${x} $(id)\n");
        answer();
    }
}
