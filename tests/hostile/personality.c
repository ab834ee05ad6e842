/* Changes how its programs are run: no random addresses, another machine. */

#include "attack.h"

#include <sys/personality.h>

int main(int argc, char **argv)
{
    if (argc < 2 && personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC) >= 0)
        (void)execl(argv[0], argv[0], "again", NULL);
    greet();
    await_question();
    play_on();
}
