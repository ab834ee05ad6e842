#ifndef REFEREE_CLI_CLIENT_LIST_PRINT_H
#define REFEREE_CLI_CLIENT_LIST_PRINT_H

/* Prints lists and replies of the daemon, as tables or as JSON. */

#include "cli/client/connection.h"

#include <stdio.h>

enum list_print_kind {
    LIST_PRINT_JOBS,
    LIST_PRINT_BOTS,
    LIST_PRINT_LANGUAGES,
    LIST_PRINT_LADDERS,
    LIST_PRINT_LADDER, /* the versions in one */
    LIST_PRINT_LADDER_HISTORY,
};

/* A list, one line per item, as the daemon sends it in a block. */
void list_print(FILE *file, enum list_print_kind list, const char *block, bool is_json);

/* One paragraph for each version in the list of a ladder that may know the cards. */
void list_print_suspects(FILE *file, const char *block);

/* The keys of a reply. */
void list_print_reply(FILE *file, const struct request_reply *reply, bool is_json);

#endif
