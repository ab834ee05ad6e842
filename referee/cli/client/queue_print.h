#ifndef REFEREE_CLI_CLIENT_QUEUE_PRINT_H
#define REFEREE_CLI_CLIENT_QUEUE_PRINT_H

/* Lists and replies of the daemon, as tables or as JSON. */

#include "cli/client/connection.h"

#include <stdio.h>

enum queue_print_kind { QUEUE_PRINT_JOBS, QUEUE_PRINT_BOTS };

/* A list, one line each, as the daemon sends it in a block. */
void queue_print_list(FILE *file, enum queue_print_kind list, const char *block, bool is_json);

/* The keys of a reply. */
void queue_print_status(FILE *file, const struct reply *reply, bool is_json);

#endif
