#ifndef REFEREE_CLI_CLIENT_LIST_PRINT_H
#define REFEREE_CLI_CLIENT_LIST_PRINT_H

/* Lists and replies of the daemon, as tables or as JSON. */

#include "cli/client/connection.h"

#include <stdio.h>

enum list_print_kind { LIST_PRINT_JOBS, LIST_PRINT_BOTS };

/* A list, one line each, as the daemon sends it in a block. */
void list_print_list(FILE *file, enum list_print_kind list, const char *block, bool is_json);

/* The keys of a reply. */
void list_print_status(FILE *file, const struct reply *reply, bool is_json);

#endif
