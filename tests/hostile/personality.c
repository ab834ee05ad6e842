/* Runs itself again with another personality: fixed addresses and executable data. */

#include "attack.h"

#include <sys/personality.h>

int main(int argc, char **argv)
{
    if (argc < 2 && personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC) >= 0)
        (void)execl(argv[0], argv[0], "again", NULL);
    say_hello();
    wait_for_question();
    keep_playing();
}
