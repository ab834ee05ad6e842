#ifndef REFEREE_MATCH_LOG_H
#define REFEREE_MATCH_LOG_H

/* A log file: lines of records, and a last line with the SHA-256 of everything before it. */

#include "wire/record.h"

#include <stdbool.h>
#include <stddef.h>

struct log;

/* Makes the file, or empties it. Returns NULL with errno. */
struct log *log_open(const char *path);

/* Adds a record and a line end. Trouble is remembered until log_close(). */
void log_add(struct log *log, const char *record, size_t length);

/* Writes the last line, brings everything to the disk unless somebody else does (`is_synced` false), and
 * closes the file. Returns 0, or -1 with errno if any of it, or anything before, failed; the file is
 * then no complete log. `hash` gets what the last line says. Takes the log. */
int log_close(struct log *log, bool is_synced, char hash[RECORD_HASH_HEX]);

/* Gives up: closes the file as it is. Takes the log; NULL is fine. */
void log_free(struct log *log);

#endif
