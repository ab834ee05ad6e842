#ifndef REFEREE_WIRE_JSON_WRITE_H
#define REFEREE_WIRE_JSON_WRITE_H

/* Writes one JSON document after the other into memory, at most 64 levels deep. Calls that do not
 * make a document (a value where a key belongs, the end of a list that was never opened) are our
 * mistake and end the program. */

#include <stdbool.h>
#include <stddef.h>

struct json_writer;

/* `is_pretty`: on several lines, indented, with a line end after the document; otherwise on one
 * line without any. */
struct json_writer *json_writer_new(bool is_pretty);
void json_writer_free(struct json_writer *writer);

void json_open_map(struct json_writer *writer);
void json_close_map(struct json_writer *writer);
void json_open_list(struct json_writer *writer);
void json_close_list(struct json_writer *writer);

/* The name of the next value of a map. */
void json_key(struct json_writer *writer, const char *name);

/* A string of any bytes: a byte that belongs to no UTF-8 character is written as the character
 * U+00XX of the same number, so that the document is always valid. */
void json_text(struct json_writer *writer, const char *value);
void json_text_bytes(struct json_writer *writer, const char *bytes, size_t length);

void json_number(struct json_writer *writer, long long number);

/* A number with that many digits after the point, whatever the locale; null if it is not finite or
 * has no room for them (text_add_decimal()). */
void json_decimal(struct json_writer *writer, double value, unsigned digits);

void json_flag(struct json_writer *writer, bool is_set);
void json_null(struct json_writer *writer);

/* A member of a map: its key and its value. */
void json_put_text(struct json_writer *writer, const char *key, const char *value);
void json_put_number(struct json_writer *writer, const char *key, long long number);
void json_put_flag(struct json_writer *writer, const char *key, bool is_set);
void json_put_decimal(struct json_writer *writer, const char *key, double value, unsigned digits);

/* What has been written since the writer was new or cleared, followed by a NUL. Lent until the next
 * call. */
const char *json_writer_bytes(struct json_writer *writer, size_t *length);

/* Forgets everything written and begins a new document. */
void json_writer_clear(struct json_writer *writer);

#endif
