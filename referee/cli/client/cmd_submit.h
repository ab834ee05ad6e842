#ifndef REFEREE_CLI_CLIENT_CMD_SUBMIT_H
#define REFEREE_CLI_CLIENT_CMD_SUBMIT_H

/* The three things that can be handed in at the daemon, one file each. */

#include "cli/cli.h"
#include "cli/client/connection.h"

#include <stddef.h>

/* As a subcommand: argv[0] is "bot", "match" or "tournament". */
cli_command_fn submit_bot;
cli_command_fn submit_match;
cli_command_fn submit_tournament;

/* A job that was put together, and what shall be done with it. */
struct submission {
    struct dial dial;
    struct request_line request;
    struct span block; /* behind the request */
    bool is_waiting;   /* until it is over */
    bool is_json;
};

/* Hands it in, prints its number, or waits and prints the standings. Returns the exit code. */
int submit_job(struct submission *submission);

/* Reads a whole file of at most `most` bytes. Returns NULL after it said what is wrong. */
char *submit_read_file(const char *path, size_t most, size_t *length);

#endif
