/* Has four children that use a quarter of its argument in megabytes each, and waits. */

#include "hostile.h"

#define CHILDREN 4

int main(int argc, char **argv)
{
    size_t bytes = (argc > 1 ? strtoul(argv[1], NULL, 10) : 400) * 1024 * 1024 / CHILDREN;

    greet();
    await_question();
    for (int i = 0; i < CHILDREN; i++) {
        if (fork() == 0) {
            volatile char *memory = malloc(bytes);

            for (size_t at = 0; memory != NULL && at < bytes; at += 4096)
                memory[at] = 1;
            stay();
        }
    }
    stay();
}
