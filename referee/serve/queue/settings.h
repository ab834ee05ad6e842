#ifndef REFEREE_SERVE_QUEUE_SETTINGS_H
#define REFEREE_SERVE_QUEUE_SETTINGS_H

/* The limits of a daemon, which its owner sets in a file: JSON with comments, one map of numbers,
 * and the command of a hook. Nobody but the owner and organisers may ask for more; bots and jobs
 * that were accepted before keep what they have. */

#include "base/text.h"

#define SETTINGS_KEYS_MAX 4096 /* bytes of settings_write_keys() */
#define SETTINGS_COMMAND_MAX 1000

struct settings {
    /* What one job or bot may ask for. */
    long start_ms;
    long move_ms;
    long bank_ms;
    long memory_mb;
    long bots;
    long matches;
    long tables;
    long job_minutes;   /* a job that plays longer is stopped */
    long build_seconds; /* so is a build, the owner's too */
    long build_memory_mb;
    long check_seconds; /* 0: new versions are not checked */
    long submit_ms;     /* how long a reply waits for a build and a hello */
    /* What one user may have. */
    long jobs;         /* that are not over */
    long jobs_at_once; /* of all users, that have a process */
    long jobs_per_day;
    long versions; /* of bots */
    long disk_mb;
    /* Connections, for requests and for pages each. */
    long connections_per_user;
    long connections_per_address;
    long handshakes; /* of TLS, per second */
    long handshakes_per_address;
    long hello_ms;   /* to the end of the first line */
    long request_ms; /* for a line, for each part of a block, to the end of a request for a page */
    long idle_ms;    /* without a request, for a client that does not watch */
    long on_result_ms; /* how long that command may run */
    /* Run by /bin/sh when a job is over (hook.h); "" for none. */
    char on_result[SETTINGS_COMMAND_MAX + 1];
};

/* The settings without a file. */
struct settings settings_default(void);

/* Reads a file; keys that are missing have their defaults. Returns 0, or -1 with a sentence in
 * `problem`: then `settings` is unchanged. */
int settings_load(struct settings *settings, const char *path, struct text *problem);

/* The same from memory. `path` is its name. */
int settings_read(struct settings *settings, struct span file, const char *path,
                  struct text *problem);

/* Adds every key with its meaning, range and default, for the help: two lines per key. */
void settings_write_keys(struct text *text);

#endif
