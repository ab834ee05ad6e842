#ifndef REFEREE_MATCH_LOG_FILE_H
#define REFEREE_MATCH_LOG_FILE_H

/* A log file: lines of records, and a last line with the SHA-256 of everything before it.
 *
 * While a match is played its log is NAME.partial; when it is complete it becomes NAME, so that a
 * log of that name is replaced only by a complete one. Only one process writes a NAME.partial at a
 * time; what a killed one has left is replaced. Where NAME is not a regular file (a pipe, a
 * terminal, anything in /dev or /proc), everything is written straight to it.
 *
 * A log whose NAME ends in `.zst` is compressed when it is complete. Until then it is next to it
 * under the name without that ending: for `x.ndjson.zst`, `x.ndjson.partial` has plain lines. The
 * hash is always that of the lines, so it does not matter how they are compressed. */

#include "wire/log_record.h"

#include <stdbool.h>
#include <stddef.h>

struct log_file;

/* What is added to the name of a log while it is written. */
#define LOG_FILE_PARTIAL ".partial"
#define LOG_FILE_PACKING ".packing" /* while a log that has a partial one is compressed */

/* The path of something that belongs to a log: its name, without `.zst`, and the ending. Free
 * it. */
char *log_file_next_to(const char *name, const char *ending);

/* Creates the file. With `is_synced`, log_file_close() brings it to the disk. Returns NULL with
 * errno if it cannot: EBUSY if another process writes this log, and EEXIST if NAME.partial is there
 * and is not a regular file. */
struct log_file *log_file_open(const char *path, bool is_synced);

/* The path of NAME.partial; NULL if everything is written straight to NAME. Lent. */
const char *log_file_partial_path(const struct log_file *log);

/* Adds a record and a line end. Mostly they stay in memory; log_file_flush() writes them. An error
 * is kept for log_file_close(). */
void log_file_add(struct log_file *log, const char *record, size_t length);

/* Writes what was added, so that it outlives this process. Does nothing if nothing was. */
void log_file_flush(struct log_file *log);

/* Writes the last line, closes the file and gives it its name. Returns 0, or -1 with errno if any
 * of it, or any writing before, failed: then what could be written is still at NAME.partial. `hash`
 * gets the hash of the last line. Takes the log. */
int log_file_close(struct log_file *log, char hash[LOG_RECORD_HASH_HEX]);

/* Writes what was added and closes the file as it is, as NAME.partial. Takes the log; NULL is
 * fine. */
void log_file_free(struct log_file *log);

#endif
