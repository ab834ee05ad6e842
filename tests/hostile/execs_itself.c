/* Runs itself again with exec after each answer, which is allowed. */

#include "attack.h"

int main(int argc, char **argv)
{
    if (argc < 2)
        say_hello();
    wait_for_question();
    answer();
    (void)execl("/proc/self/exe", argv[0], "again", NULL);
    (void)execl(argv[0], argv[0], "again", NULL);
    for (;;) {
        wait_for_question();
        answer();
    }
}
