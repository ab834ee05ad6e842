#ifndef REFEREE_CLI_PLAY_PLAY_SUMMARY_H
#define REFEREE_CLI_PLAY_PLAY_SUMMARY_H

/* What `referee play` reports about matches: faults as they happen, and sums at the end. */

#include "cli/play/cmd_play.h"
#include "match/match.h"

struct play_summary;

/* `names` are those of the seats, lent for the life of the summary. */
struct play_summary *play_summary_new(const struct play_settings *settings,
                                      char (*names)[BOT_COMMAND_NAME_MAX + 8]);
void play_summary_free(struct play_summary *summary);

/* Adds a match that was played to its end; `log_path` may be NULL. */
void play_summary_add(struct play_summary *summary, const struct match *match,
                      const char *log_path);

/* The sums as a table on stdout; or everything as one JSON document. */
void play_summary_print(const struct play_summary *summary);
void play_summary_print_json(const struct play_summary *summary);

/* Reports on stderr why a match could not be played: the reason of match_host_void(). */
void play_summary_void(const char *reason, const char *log_path);

/* Tells the author of a bot on stderr what it did wrong and how to see it again. */
void play_summary_fault(const struct match *match, unsigned seat,
                        const struct bot_failure *failure);

#endif
