/* Starts the bot that its argument names, waits for its hello, prints its pid and stays until it is
 * killed: a referee that has no chance to clean up. */

#include "support/bot_driver.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The only child of this process. */
static void print_child(void)
{
    char path[100];
    char words[100] = "";
    FILE *file;

    (void)snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    file = fopen(path, "re");
    if (file == NULL || fgets(words, sizeof words, file) == NULL)
        exit(1);
    fclose(file);
    (void)puts(words);
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    struct bot_driver driver;

    if (argc < 2)
        return 2;
    driver_init(&driver);
    driver_start(&driver, argv[1], NULL);
    if (driver_hello(&driver, DRIVER_ENOUGH_MS) != BOT_ANSWERED)
        return 1;
    print_child();
    for (;;)
        (void)pause();
}
