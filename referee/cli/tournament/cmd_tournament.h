#ifndef REFEREE_CLI_TOURNAMENT_H
#define REFEREE_CLI_TOURNAMENT_H

/* What the files of `referee tournament` share: one tournament from the command line to its standings. */

#include "bot/contain.h"
#include "cli/feed.h"
#include "cli/progress.h"
#include "tournament/entrants.h"

struct tournament {
    const char *path;
    bool is_dry_run;
    long jobs; /* -1: as the file says */
    bool is_fresh;
    bool accepts_changes;
    char *seed_words;
    enum contain_level level; /* CONTAIN_LEVEL_COUNT: as the file says */
    struct contain *contain;  /* for trying and building; workers have their own */
    bool shows_each;
    bool is_quiet;
    bool is_json;
    bool has_feed;
    bool shows_keys;
    const char *builds; /* NULL: in the store */

    struct plan *plan;
    struct store *store;
    struct entrants *entrants;
    struct entrant *by_number; /* the same by number of the store */
    struct agenda *agenda;
    struct event_base *base;
    struct director *director;
    struct progress *progress;
    struct feed *feed; /* instead of the progress, or NULL */
    enum director_end end;
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
