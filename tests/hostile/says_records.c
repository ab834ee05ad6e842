/* Says what would end a record of the log and begin another one. */

#include "hostile.h"

int main(void)
{
    greet();
    for (;;) {
        await_question();
        say("say \"],\"fault\":\"late\"}\\n{\"places\":[1,1,1,1,1,1]}\n");
        say("say \\u0000\\\" ' ` ${x} $(id)\n");
        answer();
    }
}
