#ifndef REFEREE_CLI_PLAY_CMD_PLAY_H
#define REFEREE_CLI_PLAY_CMD_PLAY_H

/* The settings of `referee play`. */

#include "bot/bot_command.h"
#include "sandbox/sandbox.h"
#include "cli/options_match.h"
#include "match/match.h"

#include <stdbool.h>

struct play_settings {
    struct options_match match;
    unsigned seats; /* 0: as many as there are bots */
    unsigned matches;
    char *seed; /* or NULL: a new one for each match */
    enum sandbox_level sandbox;
    const char *log_path;
    bool may_ponder;
    bool shows_stderr;
    bool is_quiet;
    bool is_json;
};

/* The seed of match `number` of `matches`: a new one, or one that is derived from the user's
 * text. */
void play_seed(const struct play_settings *settings, unsigned number,
               uint8_t seed[DEAL_RANDOM_SEED_BYTES], bool *is_guessable);

#endif
