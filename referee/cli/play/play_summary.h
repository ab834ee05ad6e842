#ifndef REFEREE_CLI_PLAY_PLAY_SUMMARY_H
#define REFEREE_CLI_PLAY_PLAY_SUMMARY_H

/* What `referee play` reports about matches: faults as they happen, and sums at the end. */

#include "cli/play/cmd_play.h"
#include "match/match_host.h"

struct play_summary;

/* `names` are those of the `bots` bots, lent for the life of the summary. */
struct play_summary *play_summary_new(const struct play_settings *settings, unsigned bots,
                                      char (*names)[BOT_COMMAND_SEAT_NAME_BYTES]);
void play_summary_free(struct play_summary *summary);

/* One of the matches. */
struct play_summary_match {
    unsigned number;                  /* from 1 */
    unsigned bots[ALLEGRA_SEATS_MAX]; /* by seat: which of the bots plays there */
    const char *log_path;             /* or NULL */
};

/* Adds a match that was played to its end. */
void play_summary_add(struct play_summary *summary, const struct match *match,
                      const struct play_summary_match *which);

/* Adds a fault to the list, and tells the author of the bot on stderr what it did wrong. */
void play_summary_add_fault(struct play_summary *summary, const struct match *match,
                            const struct play_summary_match *which, unsigned seat,
                            const struct bot_failure *failure);

/* The sums as a table on stdout, one row per bot, and the faults; or everything as one JSON
 * document. */
void play_summary_print(const struct play_summary *summary);
void play_summary_print_json(const struct play_summary *summary);

/* Reports on stderr that a match is void, and why, or was stopped; and where its partial log is. */
void play_summary_stopped(const struct match_host *host);

/* Tells the author of a bot on stderr what it did wrong and how to see it again. */
void play_summary_fault(const struct match *match, unsigned seat,
                        const struct bot_failure *failure);

#endif
