#ifndef REFEREE_BOT_BOT_COMMAND_H
#define REFEREE_BOT_BOT_COMMAND_H

/* How a user names a bot: the path of a program, or a command line. */

#include "base/text.h"

#include <stdbool.h>

#define BOT_COMMAND_HASH_HEX 65
#define BOT_COMMAND_NAME_MAX 32

struct bot_command {
    char *text;                          /* as the user wrote it */
    char **argv;                         /* argv[0] is the path to run; NULL ends it */
    char name[BOT_COMMAND_NAME_MAX + 1]; /* a short name made of it, fit for tables */
    char hash[BOT_COMMAND_HASH_HEX];     /* SHA-256 of its files, in hexadecimal */
};

/* Reads a command: `text` is one program if a file of that name exists, else it is split as a shell
 * would do it (quotes and backslashes, nothing else). Finds the program and checks whether it can
 * be run at all. Returns 0, or -1 with one sentence in `problem`. Free it with bot_command_free()
 * in both cases. */
int bot_command_read(struct bot_command *command, const char *text, struct text *problem);

/* The same for a bot that runs in `folder`: paths begin there, argv[0] becomes absolute, and if
 * `is_hashed` everything in the folder is part of its hash. */
int bot_command_read_in(struct bot_command *command, const char *folder, bool is_hashed,
                        const char *text, struct text *problem);

void bot_command_free(struct bot_command *command);

#endif
