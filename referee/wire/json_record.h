#ifndef REFEREE_WIRE_JSON_RECORD_H
#define REFEREE_WIRE_JSON_RECORD_H

/* Reads the members of a map strictly. Whoever can write a file can also make its checksums right,
 * so a record proves nothing about what it holds: each member is taken with the kind and the range
 * that it must have.
 *
 *   struct json_record record = json_record_start(node, problem);
 *   long long seats = json_record_number(&record, "seats", 2, 6);
 *   const char *name = json_record_text(&record, "name", 32);
 *
 *   if (record.is_refused)
 *       return -1;
 *
 * The first member that is missing or wrong makes the record refused, with one sentence in
 * `problem`. After that, values are harmless: the least number, an empty text, an empty list. */

#include "wire/json_read.h"

#define JSON_RECORD_MEMBERS_MAX 64

struct json_record {
    const struct json_node *map;
    struct text *problem;
    bool is_refused;
};

/* Refused if the node is not a map, or has a key twice, or more than JSON_RECORD_MEMBERS_MAX. */
struct json_record json_record_start(const struct json_node *map, struct text *problem);

/* A number from `least` to `most`; a flag; a text of at most `most` bytes. */
long long json_record_number(struct json_record *record, const char *name, long long least,
                             long long most);
bool json_record_flag(struct json_record *record, const char *name);
const char *json_record_text(struct json_record *record, const char *name, size_t most);

/* A text without control characters, which can be shown on one line. */
const char *json_record_line(struct json_record *record, const char *name, size_t most);

/* The same as json_record_text() for a text that may be missing: then it is NULL. */
const char *json_record_optional_text(struct json_record *record, const char *name, size_t most);

/* A list, or a map, of at most `most` values. */
const struct json_node *json_record_list(struct json_record *record, const char *name,
                                         unsigned most);
const struct json_node *json_record_map(struct json_record *record, const char *name,
                                        unsigned most);

/* A list of at most `most` numbers, each from `range[0]` to `range[1]`. Returns how many. */
unsigned json_record_numbers(struct json_record *record, const char *name, const long long range[2],
                             long long *numbers, unsigned most);

/* Whether the record has such a member at all. */
bool json_record_has(const struct json_record *record, const char *name);

/* Refuses the record because of a member, or for another reason; the first reason counts. Returns
 * -1. */
int json_record_refuse_member(struct json_record *record, const char *name);
int json_record_refuse(struct json_record *record, const char *why);

#endif
