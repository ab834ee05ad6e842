#ifndef REFEREE_CLI_PLAY_H
#define REFEREE_CLI_PLAY_H

/* The settings of a match as options give them, for `play` and whoever else plays matches. */

#include "bot/command.h"
#include "bot/contain.h"
#include "cli/match_options.h"
#include "match/match.h"

#include <stdbool.h>

struct play_settings {
    struct match_options match;
    unsigned seats; /* 0: as many as there are bots */
    unsigned matches;
    char *seed; /* or NULL: a new one for each match */
    enum contain_level contain;
    bool is_contain_asked; /* the user named the level */
    const char *log_path;
    bool shows_stderr;
    bool is_quiet;
    bool is_json;
};

/* The seed of match `number` of `matches`: a new one, or the one that stands for the user's words. */
void play_seed(const struct play_settings *settings, unsigned number,
               uint8_t seed[CHANCE_SEED_BYTES], bool *is_guessable);

#endif
