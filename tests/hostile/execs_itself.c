/* Becomes a new program after each answer. */

#include "attack.h"

int main(int argc, char **argv)
{
    if (argc < 2)
        greet();
    await_question();
    answer();
    (void)execl("/proc/self/exe", argv[0], "again", NULL);
    (void)execl(argv[0], argv[0], "again", NULL);
    for (;;) {
        await_question();
        answer();
    }
}
