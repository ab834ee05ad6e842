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
    char hash[BOT_COMMAND_HASH_HEX];     /* SHA-256 of its files, in hexadecimal, or "" */
};

/* Where a command is read, and how much of it. All zero: in our current folder, without a hash. */
struct bot_command_place {
    const char *folder; /* where its paths begin; argv[0] becomes absolute then. NULL: ours */
    bool is_whole;      /* everything that it needs is in the folder: no path and no link is
                         * followed out of it, that of a program apart which is absolute */
    bool is_hashed;     /* finds the hash, for which files are read to their end: of every argument
                         * that is a file, and if the folder is whole, of everything in it */
};

/* Reads a command: `text` is one program if a file of that name exists, else it is split as a shell
 * would do it (quotes and backslashes, nothing else). Finds the program and checks whether it can
 * be run at all. Returns 0, or -1 with one sentence in `problem`. Free it with bot_command_free()
 * in both cases. */
int bot_command_read_in(struct bot_command *command, const struct bot_command_place *place,
                        const char *text, struct text *problem);

/* The same in our current folder, with a hash. */
int bot_command_read(struct bot_command *command, const char *text, struct text *problem);

void bot_command_free(struct bot_command *command);

/* The names of seats are their bots' names, with a number where another seat has that name: so no
 * two are the same. */
#define BOT_COMMAND_SEAT_NAME_BYTES (BOT_COMMAND_NAME_MAX + 8)

/* Names a seat after its bot: `name`, or NAME-2, NAME-3 and so on if a seat before it is called
 * that. */
void bot_command_name_seat(char names[][BOT_COMMAND_SEAT_NAME_BYTES], unsigned seat,
                           const char *name);

#endif
