/* The table of subcommands, and those that are about the program itself. */

#include "cli/cli.h"

#include "base/message.h"
#include "base/text.h"
#include "cli/manual.h"

#include <stdbool.h>
#include <string.h>

static cli_command_fn print_version;
static cli_command_fn help;

static const struct cli_command commands[] = {
    {.name = "play", .run = cli_play, .summary = "play one or many matches between bots"},
    {.name = "ask", .run = cli_ask, .summary = "ask a bot one question from a position"},
    {.name = "check", .run = cli_check, .summary = "find out whether a bot follows the protocol"},
    {.name = "tournament", .run = cli_tournament, .summary = "play or resume a tournament"},
    {.name = "standings",
     .run = cli_standings,
     .summary = "print tables and ratings of a tournament"},
    {.name = "compare", .run = cli_compare, .summary = "find out whether a new version is better"},
    {.name = "worker", .run = cli_worker, .summary = "play blocks for tournaments elsewhere"},
    {.name = "serve", .run = cli_serve, .summary = "run the daemon: submit, queue, watch, pages"},
    {.name = "submit", .run = cli_submit, .summary = "submit a bot, match or tournament"},
    {.name = "queue",
     .run = cli_queue,
     .summary = "list the jobs, bots, results and logs of a daemon"},
    {.name = "output",
     .run = cli_output,
     .summary = "print what a daemon keeps for a bot's author: build, hello, check"},
    {.name = "languages",
     .run = cli_languages,
     .summary = "list the languages that a daemon's machine has"},
    {.name = "ladder", .run = cli_ladder, .summary = "show the ladders of a daemon"},
    {.name = "ladder-rate", .run = cli_ladder_rate},
    {.name = "watch", .run = cli_watch, .summary = "print the events of a daemon, live"},
    {.name = "cancel", .run = cli_cancel, .summary = "take jobs out of a daemon's queue"},
    {.name = "resume", .run = cli_resume, .summary = "queue paused or failed jobs again"},
    {.name = "prune", .run = cli_prune, .summary = "delete the logs of jobs that are over"},
    {.name = "rerun", .run = cli_rerun, .summary = "submit jobs of a daemon once more"},
    {.name = "replay-bot",
     .run = cli_replay_bot,
     .summary = "play a repaired bot's matches in a job again"},
    {.name = "disqualify", .run = cli_disqualify, .summary = "take a bot out of a daemon's ranks"},
    {.name = "remove", .run = cli_remove, .summary = "remove a bot from a daemon"},
    {.name = "grades", .run = cli_grades, .summary = "print grades from jobs of a daemon"},
    {.name = "connect", .run = cli_connect, .summary = "play at a daemon on another machine"},
    {.name = "bridge", .run = cli_bridge},
    {.name = "trial", .run = cli_trial},
    {.name = "unpack", .run = cli_unpack},
    {.name = "replay", .run = cli_replay, .summary = "show, verify or debug a logged match"},
    {.name = "review",
     .run = cli_review,
     .summary = "find out what lost a match: decisions or luck"},
    {.name = "doctor", .run = cli_doctor, .summary = "find out what this machine can enforce"},
    {.name = "rules", .run = cli_rules, .summary = "print editions, rule keys and differences"},
    {.name = "complete", .run = cli_complete},
    {.name = "manual", .run = cli_manual},
    {.name = "help",
     .run = help,
     .summary = "describe a command, or show a manual: `referee help play`",
     .options = {"--help", "-h"}},
    {.name = "version",
     .run = print_version,
     .summary = "print the version",
     .options = {"--version", "-V"}},
};

size_t cli_command_count(void)
{
    return ARRAY_LEN(commands);
}

const struct cli_command *cli_command_at(size_t index)
{
    return &commands[index];
}

void cli_print_commands(FILE *file)
{
    fputs("usage: referee COMMAND [ARGUMENT...]\n"
          "\n"
          "A referee for programs that play the card game ALLEGRA.\n"
          "\n"
          "commands:\n",
          file);
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        if (commands[i].summary != NULL)
            fprintf(file, "  %-12s %s\n", commands[i].name, commands[i].summary);
    }
    fputs("\nmanuals:\n", file);
    manual_print_topics(file);
    fputs("\n`referee help COMMAND` or `referee COMMAND --help` describes a command, `referee help "
          "MANUAL`\nshows a manual.\n",
          file);
}

static int print_version(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        message_say("version takes no arguments");
        return CLI_USAGE;
    }
    puts("referee " REFEREE_VERSION);
    return CLI_FINE;
}

static bool is_named(const struct cli_command *command, const char *name)
{
    if (strcmp(command->name, name) == 0)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(command->options); i++) {
        if (command->options[i] != NULL && strcmp(command->options[i], name) == 0)
            return true;
    }
    return false;
}

const struct cli_command *cli_command_find(const char *name)
{
    const char *names[ARRAY_LEN(commands)];
    const char *nearest;

    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        names[i] = commands[i].name;
        if (is_named(&commands[i], name))
            return &commands[i];
    }
    nearest = text_nearest(span_of(name), names, ARRAY_LEN(names));
    if (name[0] == '-')
        message_say("options follow a command: `referee COMMAND %s`; `referee help` lists the "
                    "commands",
                    name);
    else if (nearest != NULL)
        message_say("there is no command `%s`; did you mean `%s`?", name, nearest);
    else
        message_say("there is no command `%s`; `referee help` lists them", name);
    return NULL;
}

/* `referee help submit bot` is `referee submit bot --help`; `referee help protocol` is a manual. */
static int help(int argc, char **argv)
{
    static char option[] = "--help";
    const struct cli_command *command;

    if (argc == 2 && manual_has_topic(argv[1])) {
        manual_show(argv[1]);
        return CLI_FAILED;
    }
    command = argc > 1 ? cli_command_find(argv[1]) : NULL;
    if (argc == 1 || (command != NULL && command->options[0] != NULL)) {
        cli_print_commands(stdout);
        return CLI_FINE;
    }
    if (command == NULL)
        return CLI_USAGE;
    memmove(argv, argv + 1, (size_t)(argc - 1) * sizeof *argv);
    argv[argc - 1] = option;
    return command->run(argc, argv);
}
