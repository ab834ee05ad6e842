#ifndef REFEREE_CLI_REPLAY_CMD_REPLAY_H
#define REFEREE_CLI_REPLAY_CMD_REPLAY_H

/* What the parts of `referee replay` share. */

#include "match/replay.h"

#include <stdbool.h>
#include <stdio.h>

#define REPLAY_NO_SEAT (-1)

struct replay_settings {
    long at; /* a decision, or -1 */
    long round;
    int seat; /* whose view, or REPLAY_NO_SEAT */
    bool is_events;
    bool is_json;
    bool is_html;
    bool is_step;
    bool is_verify;
    int wire;            /* the seat whose bytes are wanted, or REPLAY_NO_SEAT */
    const char *against; /* a command, or NULL */
    bool is_all;
    bool is_debugger;
    long from;
    long branch; /* a decision, or -1 */
    const char *log_path;
    long move_ms;
};

/* Loads a log, or says what is wrong with it. */
struct replay *replay_load_or_say(const char *path, replay_tap_fn *tap, void *context);

/* Plays on until decision `number` is the next one, or the end. Returns 0, or -1 after it said what is
 * wrong. */
int replay_go_to(struct replay *replay, const char *path, unsigned long number);

/* The table before the next decision, what was asked and what was answered, on `file`. */
void replay_show_moment(FILE *file, const struct replay *replay, int seat, bool has_colour);

/* The events of the decision before, in words, one line each. */
void replay_show_events(FILE *file, const struct replay *replay, int seat);

/* Says what is wrong with a log. */
void replay_say_wrong(const char *path, const char *words);

/* Whether the match has that seat (or none is meant); says so if not. */
bool replay_has_seat(const struct replay *replay, int seat, const char *path);

/* Shows the match as the settings say. Returns an exit code. */
int replay_show(const struct replay_settings *settings, const char *path);

/* Bytes from a log as visible text. */
void replay_print_safe(FILE *file, const char *words);

/* Prints the log as a page that shows it in a browser, once it has proved right. Returns an exit code. */
int replay_html(const char *path);

int replay_step(struct replay *replay, const char *path, int seat);
int replay_against(const struct replay_settings *settings, const char *path);
int replay_branch(const struct replay_settings *settings, const char *path, char **bots,
                  unsigned count);

#endif
