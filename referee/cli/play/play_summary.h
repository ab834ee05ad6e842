#ifndef REFEREE_CLI_REPORT_H
#define REFEREE_CLI_REPORT_H

/* What is told about matches that were played: faults as they happen, and sums at the end. */

#include "cli/play.h"
#include "match/match.h"

struct report;

/* `names` are those of the seats, lent for the life of the report. */
struct report *report_new(const struct play_settings *settings,
                          char (*names)[COMMAND_NAME_MAX + 8]);
void report_free(struct report *report);

/* Adds a match that was played to its end; `log_path` may be NULL. */
void report_add(struct report *report, const struct match *match, const char *log_path);

/* The sums as a table on stdout; or everything as one JSON document. */
void report_print(const struct report *report);
void report_print_json(const struct report *report);

/* Tells the author of a bot on stderr what it did wrong and how to see it again. */
void report_fault(const struct match *match, unsigned seat, const struct match_reply *reply);

#endif
