#ifndef REFEREE_CLI_TOURNAMENT_CMD_TOURNAMENT_H
#define REFEREE_CLI_TOURNAMENT_CMD_TOURNAMENT_H

/* One tournament from the command line to its standings: what the files of `referee tournament`
 * share. */

#include "cli/options.h"
#include "cli/tournament/runner.h"
#include "sandbox/sandbox.h"
#include "tournament/play/bot_setup.h"
#include "tournament/play/progression.h"
#include "tournament/distribute/block_lane.h"
#include "tournament/report/feed.h"

#define TOURNAMENT_REPLAYED_MAX 64

struct tournament {
    const char *path;
    bool is_dry_run;
    bool is_starting;   /* with is_dry_run: each bot once */
    long workers;       /* -1: as the file says */
    const char *output; /* NULL: as the file says */
    bool is_fresh;
    bool is_salvaging;
    bool accepts_changes;
    const char *replayed[TOURNAMENT_REPLAYED_MAX + 1]; /* as resume_options has it */
    char *seed_text;
    enum sandbox_level level; /* SANDBOX_LEVEL_COUNT: as the file says */
    enum option_switch luck;
    bool shows_each;
    bool is_quiet;
    bool is_json;
    bool has_feed;
    bool is_steered;
    bool shows_keys;
    const char *builds; /* NULL: in the store */
    unsigned build_seconds;
    long build_memory_mb;
    unsigned most_tables;
    bool lists_blocks;
    unsigned played_block; /* 0: none alone */
    const char *into;
    bool is_importing;
    const char *key_file;
    const char *gearman[BLOCK_LANE_SERVERS_MAX + 1]; /* NULL ends them */
    unsigned silence_s;
    char **imported; /* folders; NULL ends them */

    struct config *config;
    struct sandbox *sandbox; /* for probing and building; workers have their own */
    struct store *store;
    struct bot_setup_list *bot_setups;
    struct bot_setup *by_number; /* the same, by number in the store */
    struct progression *progression;
    struct runner *runner;             /* while it is played */
    struct distribution *distribution; /* to other machines; or NULL */
    struct feed *feed;                 /* instead of progress; or NULL */
    bool is_feed_closed;
    enum coordinator_end end;
    unsigned next_shown; /* block, for --each */
    int64_t start_us;
    unsigned long start_decided; /* matches */
};

/* Print a mistake in the file, and a message for the organiser (tournament_prepare.c). */
void tournament_on_problem(void *context, unsigned line, unsigned column, const char *sentence);
void tournament_on_message(void *context, const char *message);

/* Checks that the bots are there and that the sandbox level is available, before anything is made
 * or deleted. Bots that have to be built can only be checked later. Returns 0, or -1 after it has
 * said what is missing (tournament_prepare.c). */
int tournament_find_bots(struct tournament *tournament);

/* Finds and builds the bots, opens the store and compares it with the file. Returns an enum
 * cli_exit (tournament_prepare.c). */
int tournament_prepare(struct tournament *tournament);

/* Has the matches of the bots of --replay-bot played again. Returns 0, or -1 after it has said what
 * is wrong (replay_bot.c). */
int tournament_replay_bots(struct tournament *tournament);

/* Reads NAME or NAME=TIMES, a value of --replay-bot. Returns 0, or -1. TIMES is 0 if it is not
 * given (replay_bot.c). */
int tournament_read_replayed(const char *value, char name[CONFIG_NAME_MAX + 1], long *times);

/* Closes the store; what --fresh has put aside comes back if the new store has not begun. */
void tournament_close_store(struct tournament *tournament);

/* What its matches are played with (tournament_play.c). */
struct task_setup tournament_task_setup(const struct tournament *tournament);

/* The same for a process that plays one block and leaves the store as it is: bots and settings must
 * be those of the store. Returns an enum cli_exit (tournament_prepare.c). */
int tournament_prepare_block(struct tournament *tournament);

/* Plays until the end or until somebody stops it. Returns an enum cli_exit (tournament_play.c). */
int tournament_play(struct tournament *tournament);

/* What its progress shows, from now on (tournament_view.c). */
struct progress_view tournament_view(struct tournament *tournament);

#endif
