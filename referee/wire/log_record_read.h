#ifndef REFEREE_WIRE_LOG_RECORD_READ_H
#define REFEREE_WIRE_LOG_RECORD_READ_H

/* Log records back into values. Only the fields that are used are read; whether a record has
 * anything else is found out by writing it again and comparing. Texts are lent from the
 * document. */

#include "wire/json_read.h"
#include "wire/log_record.h"

enum log_record_kind {
    LOG_RECORD_UNKNOWN,
    LOG_RECORD_HEADER,
    LOG_RECORD_START,    /* the deal: n is 0 */
    LOG_RECORD_DECISION, /* an answer, or the bids of a bidding round */
    LOG_RECORD_FAULT,
    LOG_RECORD_RESULT,
    LOG_RECORD_END, /* the hash */
};

enum log_record_kind log_record_kind_of(const struct json_node *record);

/* The number of the decision that a record belongs to; -1 if it has none. */
long long log_record_number_of(const struct json_node *record);

/* A key that a record has twice, or NULL. */
const char *log_record_has_key_twice(const struct json_node *record);

/* Each returns 0; or -1 with a few words in `problem` about what is missing or impossible. */
int log_record_read_header(const struct json_node *record, struct log_record_header *header,
                           struct allegra_rules *rules, struct text *problem);
int log_record_read_decision(const struct json_node *record,
                             struct log_record_answer answers[ALLEGRA_SEATS_MAX], unsigned *count,
                             struct text *problem);
int log_record_read_fault(const struct json_node *record, struct log_record_fault *fault,
                          struct text *problem);

#endif
