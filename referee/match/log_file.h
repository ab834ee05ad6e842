#ifndef REFEREE_MATCH_LOG_FILE_H
#define REFEREE_MATCH_LOG_FILE_H

/* A log file: lines of records, and a last line with the SHA-256 of everything before it. */

#include "wire/log_record.h"

#include <stdbool.h>
#include <stddef.h>

struct log_file;

/* Makes the file, or empties it. Returns NULL with errno. */
struct log_file *log_file_open(const char *path);

/* Adds a record and a line end. Trouble is remembered until log_file_close(). */
void log_file_add(struct log_file *log, const char *record, size_t length);

/* Writes the last line, brings everything to the disk unless somebody else does (`is_synced` false), and
 * closes the file. Returns 0, or -1 with errno if any of it, or anything before, failed; the file is
 * then no complete log. `hash` gets what the last line says. Takes the log. */
int log_file_close(struct log_file *log, bool is_synced, char hash[LOG_RECORD_HASH_HEX]);

/* Gives up: closes the file as it is. Takes the log; NULL is fine. */
void log_file_free(struct log_file *log);

#endif
