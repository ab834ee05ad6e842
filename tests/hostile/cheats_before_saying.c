/* Uses CPU time before and after a line that does not end the question: the clock might begin
 * again. */

#include "cheat.h"

static void burn(long us)
{
    burn_us(us / 3);
    say("say hm\n");
    burn_us(us / 3);
    say("say hm\n");
    burn_us(us / 3);
}

int main(int argc, char **argv)
{
    cheat(argc, argv, burn);
}
