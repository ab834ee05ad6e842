/* main() finds the row of the subcommand, passes the rest of the command line on, and exits with
 * the result. Data goes to stdout, messages to stderr. A command whose output could not be written
 * fails, even if it did not notice. */

#include "base/message.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int run(int argc, char **argv)
{
    const struct cli_command *command;

    if (argc < 2) {
        cli_print_commands(stderr);
        return CLI_USAGE;
    }
    command = cli_command_find(argv[1]);
    return command != NULL ? command->run(argc - 1, argv + 1) : CLI_USAGE;
}

/* The next file to be opened would take the descriptor of a standard stream that is closed, and
 * get its messages. /dev/null takes it instead, opened for the wrong direction, so that the
 * error remains. */
static void fill_closed_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

int main(int argc, char **argv)
{
    int code;

    fill_closed_streams();
    code = run(argc, argv);

    if (fflush(stdout) != 0 || ferror(stdout)) {
        message_say("cannot write the output: %s", strerror(errno));
        if (code == CLI_FINE)
            code = CLI_FAILED;
    }
    return code;
}
