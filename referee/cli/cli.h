#ifndef REFEREE_CLI_CLI_H
#define REFEREE_CLI_CLI_H

/* The subcommands: each has a file of its own and a row in the table of cli.c. */

#include <stddef.h>
#include <stdio.h>

/* The exit codes of the program, which subcommands return. */
enum cli_exit {
    CLI_FINE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,     /* the command line is wrong */
    CLI_BOT_FAULT = 3, /* a bot was at fault */
};

/* argv[0] is the name of the subcommand. Returns an enum cli_exit. */
typedef int cli_command_fn(int argc, char **argv);

cli_command_fn cli_ask;
cli_command_fn cli_bridge;
cli_command_fn cli_cancel;
cli_command_fn cli_disqualify;
cli_command_fn cli_grades;
cli_command_fn cli_remove;
cli_command_fn cli_replay_bot;
cli_command_fn cli_prune;
cli_command_fn cli_rerun;
cli_command_fn cli_resume;
cli_command_fn cli_check;
cli_command_fn cli_complete;
cli_command_fn cli_compare;
cli_command_fn cli_connect;
cli_command_fn cli_doctor;
cli_command_fn cli_languages;
cli_command_fn cli_manual;
cli_command_fn cli_ladder;
cli_command_fn cli_ladder_rate;
cli_command_fn cli_output;
cli_command_fn cli_play;
cli_command_fn cli_queue;
cli_command_fn cli_replay;
cli_command_fn cli_review;
cli_command_fn cli_rules;
cli_command_fn cli_serve;
cli_command_fn cli_standings;
cli_command_fn cli_submit;
cli_command_fn cli_tournament;
cli_command_fn cli_trial;
cli_command_fn cli_unpack;
cli_command_fn cli_watch;
cli_command_fn cli_worker;

struct cli_command {
    const char *name;
    cli_command_fn *run;
    const char *summary;    /* NULL: internal, not listed */
    const char *options[2]; /* that do the same without a command; NULL: none */
};

size_t cli_command_count(void);
const struct cli_command *cli_command_at(size_t index);

/* Returns NULL after it reported that there is no such command. */
const struct cli_command *cli_command_find(const char *name);

/* Lists the commands. */
void cli_print_commands(FILE *file);

#endif
