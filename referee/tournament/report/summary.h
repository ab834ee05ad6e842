#ifndef REFEREE_TOURNAMENT_REPORT_SUMMARY_H
#define REFEREE_TOURNAMENT_REPORT_SUMMARY_H

/* A store at this moment: its standings, and everything else that a report shows. */

#include "tournament/play/progression.h"
#include "tournament/report/report.h"
#include "tournament/store/store.h"

struct summary;

/* Computes everything. `progression` and its store are lent for the life of the summary. Scores are
 * adjusted for luck if it was measured and is not to be ignored. */
struct summary *summary_new(const struct progression *progression, const struct store *store,
                            bool ignores_luck);
void summary_free(struct summary *summary);

const struct report *summary_report(const struct summary *summary);

/* Writes standings.txt, standings.json, standings.csv, cross.csv, matches.csv and report.html into
 * the store, each in one step. Paths in them start in the store. Returns 0, or -1 with errno. */
int summary_write_files(const struct summary *summary);

/* Compares the files that summary_write_files() writes with those in the store, as far as they are
 * there, and calls `on_different` for each that is not the same. */
void summary_compare_files(const struct summary *summary,
                           void (*on_different)(void *context, const char *name), void *context);

/* Calls `on_found` for each of these files that is in a store, whatever it is. */
void summary_find_files(const char *folder, void (*on_found)(void *context, const char *name),
                        void *context);

/* One row per match that counts, in the order of the schedule: block, match, bots, places, scores,
 * faults, log; a log that was pruned is empty. */
void summary_csv_matches(FILE *file, const struct summary *summary);

#endif
