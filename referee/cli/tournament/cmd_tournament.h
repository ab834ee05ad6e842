#ifndef REFEREE_CLI_TOURNAMENT_CMD_TOURNAMENT_H
#define REFEREE_CLI_TOURNAMENT_CMD_TOURNAMENT_H

/* What the files of `referee tournament` share: one tournament from the command line to its standings. */

#include "sandbox/sandbox.h"
#include "tournament/report/feed.h"
#include "cli/tournament/progress.h"
#include "tournament/play/bot_setup.h"

struct tournament {
    const char *path;
    bool is_dry_run;
    long jobs; /* -1: as the file says */
    bool is_fresh;
    bool accepts_changes;
    char *seed_words;
    enum sandbox_level level; /* SANDBOX_LEVEL_COUNT: as the file says */
    struct sandbox *sandbox;  /* for trying and building; workers have their own */
    bool shows_each;
    bool is_quiet;
    bool is_json;
    bool has_feed;
    bool shows_keys;
    const char *builds; /* NULL: in the store */

    struct config *config;
    struct store *store;
    struct bot_setups *bot_setups;
    struct bot_setup *by_number; /* the same by number of the store */
    struct progression *progression;
    struct event_base *base;
    struct coordinator *coordinator;
    struct progress *progress;
    struct feed *feed; /* instead of the progress, or NULL */
    enum coordinator_end end;
    unsigned interrupts;
    unsigned next_shown; /* block, of --each */
};

/* Mistakes in the file, and sentences for the organiser (tournament_prepare.c). */
void tournament_on_problem(void *context, unsigned line, unsigned column, const char *sentence);
void tournament_on_message(void *context, const char *words);

/* Brings file, bots and store together. Returns a code of the program (tournament_prepare.c). */
int tournament_prepare(struct tournament *tournament);

/* Plays until the end or until somebody stops it; likewise (tournament_play.c). */
int tournament_play(struct tournament *tournament);

#endif
