#ifndef REFEREE_CLI_REPLAY_CMD_REPLAY_H
#define REFEREE_CLI_REPLAY_CMD_REPLAY_H

/* What the files of `referee replay` share. Functions that return an exit code have reported
 * what is wrong; so have those that return -1, NULL or false. */

#include "match/replay.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

#define CMD_REPLAY_NO_SEAT (-1)
#define CMD_REPLAY_NO_NUMBER LONG_MIN

struct cmd_replay_settings {
    long at; /* a decision, or CMD_REPLAY_NO_NUMBER; so are `from` and `branch` */
    long from;
    long branch;
    long round; /* 0: all */
    int seat;   /* whose view, or CMD_REPLAY_NO_SEAT */
    int wire;   /* the seat whose bytes are printed, or CMD_REPLAY_NO_SEAT */
    bool is_events;
    bool is_json;
    bool is_html;
    bool is_step;
    bool is_verify;
    const char *against; /* a command, or NULL */
    bool is_all;
    bool is_debugger;
    const char *log_path; /* of a branch */
    long move_ms;         /* 0: as logged */
};

/* Loads a log. `tap` as in replay_load(). */
struct replay *cmd_replay_load(const char *path, replay_tap_fn *tap, void *context);

/* The same for what needs all of it; `what` says what that is. */
struct replay *cmd_replay_load_whole(const char *path, replay_tap_fn *tap, void *context,
                                     const char *what);

/* Says that a log is cut off, if it is. */
void cmd_replay_say_cut(const struct replay *replay, const char *path);

/* Whether the value of an option is in the range that the log allows, or not given. */
bool cmd_replay_has_seat(const struct replay *replay, const char *option, int seat);
bool cmd_replay_has_decision(const char *option, long number, unsigned long most);

/* Plays until decision `number` is the next one, or to the end. Returns 0 or -1. */
int cmd_replay_go_to(struct replay *replay, const char *path, unsigned long number);

/* Prints the table before the next decision, the question and the answers. */
void cmd_replay_print_moment(FILE *file, const struct replay *replay, int seat, bool has_colour);

/* Prints the events of the decision before, one line each. */
void cmd_replay_print_events(FILE *file, const struct replay *replay, int seat);

/* Shows the match as the settings say. Returns an exit code. */
int cmd_replay_show(const struct cmd_replay_settings *settings, const char *path);

/* Verifies logs and stores. Returns an exit code. */
int cmd_replay_verify(const struct cmd_replay_settings *settings, char **paths, unsigned count);

/* Steps through the match in the terminal. Returns an exit code. */
int cmd_replay_step(struct replay *replay, const char *path, int seat);

/* Prints the log as a page for a browser, if it verifies. Returns an exit code. */
int cmd_replay_html(const char *path);

/* Asks a bot what the bot of a seat was asked, and compares the answers. Returns an exit code. */
int cmd_replay_against(const struct cmd_replay_settings *settings, const char *path);

/* Plays the rest of the match with other bots. Returns an exit code. */
int cmd_replay_branch(const struct cmd_replay_settings *settings, const char *path, char **bots,
                      unsigned count);

#endif
