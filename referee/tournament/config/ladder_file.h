#ifndef REFEREE_TOURNAMENT_CONFIG_LADDER_FILE_H
#define REFEREE_TOURNAMENT_CONFIG_LADDER_FILE_H

/* The file of a ladder: how its matches are played, with keys of the tournament file, and when it
 * ends. It names no bots: every bot of the daemon is in it. */

#include "tournament/config/config.h"

#include <stdint.h>

#define LADDER_FILE_KEYS_MAX 8192 /* bytes of ladder_file_write_keys() */

enum ladder_versions {
    LADDER_NEWEST, /* the newest version of each bot plays */
    LADDER_ALL,    /* all versions play */
};

struct ladder_file {
    struct config config; /* of one table; it has no bots, and is the first member */
    struct config final;  /* only its schedule counts: that of the last round robin */
    char name[CONFIG_NAME_MAX + 1];
    enum ladder_versions versions;
    bool has_deadline;
    int64_t deadline_s; /* Unix time */
    unsigned enough;    /* deals after which a version only plays as an opponent of others */
    unsigned at_once;   /* tables in the queue at a time */
    unsigned keep;      /* newest tables that keep their logs */
};

/* Reads a file. Reports all mistakes, in the order of the file, one of line 0 if it cannot be read.
 * Returns NULL if there was one. */
struct ladder_file *ladder_file_load(const char *path, config_problem_fn *problem, void *context);
void ladder_file_free(struct ladder_file *file); /* NULL is fine */

/* The same from memory; opens no file, so `edition` cannot be one. */
struct ladder_file *ladder_file_read(struct span file, config_problem_fn *problem, void *context);

/* Adds every key with its meaning, what it takes and its default, for the help. */
void ladder_file_write_keys(struct text *text);

#endif
