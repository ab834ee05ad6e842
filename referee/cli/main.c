/* The program is a table of subcommands. main finds the row, hands over the rest of the command
 * line and exits with what comes back. Data goes to stdout, messages to stderr, and data that could
 * not be written makes the command a failure even where nobody looked. */

#include "base/message.h"
#include "base/text.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct command {
    const char *name;
    cli_command_fn *run;
    const char *summary; /* NULL: it is not for people, and not in the list */
};

static const struct command commands[] = {
    {.name = "play", .run = cli_play, .summary = "play a match between bots, or many"},
    {.name = "ask", .run = cli_ask, .summary = "put one question to a bot from a position"},
    {.name = "check", .run = cli_check, .summary = "find out whether a bot keeps to the protocol"},
    {.name = "tournament", .run = cli_tournament, .summary = "play a tournament, or go on with it"},
    {.name = "standings", .run = cli_standings, .summary = "tables and ratings of a tournament"},
    {.name = "compare", .run = cli_compare, .summary = "is a new version better than the old one?"},
    {.name = "serve", .run = cli_serve, .summary = "run the daemon: submit, queue, watch, pages"},
    {.name = "submit", .run = cli_submit, .summary = "hand a bot, match or tournament to a daemon"},
    {.name = "queue", .run = cli_queue, .summary = "what a daemon has: jobs, bots, results, logs"},
    {.name = "watch", .run = cli_watch, .summary = "what happens at a daemon, as it happens"},
    {.name = "cancel", .run = cli_cancel, .summary = "take jobs out of a daemon's queue"},
    {.name = "connect", .run = cli_connect, .summary = "play from here at a daemon elsewhere"},
    {.name = "bridge", .run = cli_bridge},
    {.name = "replay", .run = cli_replay, .summary = "show, prove or debug a logged match"},
    {.name = "doctor", .run = cli_doctor, .summary = "find out what this machine can contain"},
    {.name = "rules", .run = cli_rules, .summary = "print editions, rule keys and differences"},
};

static void print_help(FILE *file)
{
    fputs("usage: referee COMMAND [ARGUMENT...]\n"
          "       referee --help | --version\n"
          "\n"
          "A referee for programs that play the card game ALLEGRA.\n"
          "\n"
          "commands:\n",
          file);
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (commands[i].summary != NULL)
            fprintf(file, "  %-12s %s\n", commands[i].name, commands[i].summary);
    }
    fputs("\n`referee COMMAND --help` tells more about a command.\n", file);
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static int refuse_command(const char *name)
{
    const char *names[ARRAY_LEN(commands)];
    const char *nearest;

    for (size_t i = 0; i < ARRAY_LEN(commands); i++)
        names[i] = commands[i].name;
    nearest = text_nearest(span_of(name), names, ARRAY_LEN(names));
    if (nearest != NULL)
        message_say("there is no command `%s`; did you mean `%s`?", name, nearest);
    else
        message_say("there is no command `%s`; `referee --help` lists them", name);
    return CLI_USAGE;
}

static int run(int argc, char **argv)
{
    const struct command *command;

    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return CLI_FINE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("referee " REFEREE_VERSION);
        return CLI_FINE;
    }
    command = find_command(argv[1]);
    if (command == NULL)
        return refuse_command(argv[1]);
    return command->run(argc - 1, argv + 1);
}

/* A standard stream that is closed would be the next file that is opened, and messages would go into
 * it. In its place comes something that cannot be used in its direction, so that the error stays. */
static void hold_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

int main(int argc, char **argv)
{
    int code;

    hold_streams();
    code = run(argc, argv);

    if (fflush(stdout) != 0 || ferror(stdout)) {
        message_say("the output could not be written: %s", strerror(errno));
        if (code == CLI_FINE)
            code = CLI_FAILED;
    }
    return code;
}
