#ifndef REFEREE_CLI_CLIENT_CMD_SUBMIT_H
#define REFEREE_CLI_CLIENT_CMD_SUBMIT_H

/* What can be submitted: a bot (submit_bot.c), a match or a tournament (submit_match.c). */

#include "cli/cli.h"
#include "cli/client/connection.h"

#include <stddef.h>

/* As a subcommand: argv[0] is "bot", "match" or "tournament". */
cli_command_fn submit_bot;
cli_command_fn submit_match;
cli_command_fn submit_tournament;

/* A job to submit, and what to do then. */
struct submission {
    struct dial dial;
    struct request_line request;
    struct span block; /* that follows the request */
    bool is_waiting;   /* until it is over */
    bool is_json;
};

/* Submits it; prints its number, or waits and prints the standings. Returns the exit code. */
int submit_job(struct submission *submission);

/* Reads a whole file of at most `most` bytes. Returns NULL after it printed the problem. */
char *submit_read_file(const char *path, size_t most, size_t *length);

#endif
