/* A bot under gdb. There is no clock: the bot reads from a file what the referee wrote to it. */

#include "cli/replay/gdb.h"

#include "base/message.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX 80

int gdb_run(const struct bot_command *command, const char *input)
{
    char start[300];
    const char *argv[WORDS_MAX + 1] = {"gdb", "-q", "-ex", start, "--args"};
    size_t count = 5;
    pid_t pid;
    int status = 0;
    int error;

    snprintf(start, sizeof start, "start < %s", input);
    for (size_t i = 0; command->argv[i] != NULL && count < WORDS_MAX; i++)
        argv[count++] = command->argv[i];
    signal(SIGINT, SIG_IGN);
    error = posix_spawnp(&pid, "gdb", NULL, NULL, (char *const *)argv, environ);
    if (error != 0) {
        message_say("gdb could not be started: %s", strerror(error));
        return -1;
    }
    while (waitpid(pid, &status, 0) < 0)
        continue;
    signal(SIGINT, SIG_DFL);
    return 0;
}
