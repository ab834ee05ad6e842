#ifndef REFEREE_MATCH_LOG_FILE_H
#define REFEREE_MATCH_LOG_FILE_H

/* A log file: lines of records, and a last line with the SHA-256 of everything before it. */

#include "wire/log_record.h"

#include <stdbool.h>
#include <stddef.h>

struct log_file;

/* Creates the file, or empties it. Returns NULL with errno if it cannot. */
struct log_file *log_file_open(const char *path);

/* Adds a record and a line end. An error is kept for log_file_close(). */
void log_file_add(struct log_file *log, const char *record, size_t length);

/* Writes the last line, brings everything to the disk if `is_synced`, and closes the file. Returns
 * 0, or -1 with errno if any of it, or any writing before, failed: then the file is not a complete
 * log. `hash` gets the hash of the last line. Takes the log. */
int log_file_close(struct log_file *log, bool is_synced, char hash[LOG_RECORD_HASH_HEX]);

/* Closes the file as it is. Takes the log; NULL is fine. */
void log_file_free(struct log_file *log);

#endif
