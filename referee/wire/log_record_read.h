#ifndef REFEREE_WIRE_RECORD_READ_H
#define REFEREE_WIRE_RECORD_READ_H

/* Log records back into values. What is read is only looked at as far as it is used; that a record says
 * nothing else is found out by writing it again and comparing. Texts are lent from the document. */

#include "wire/json_read.h"
#include "wire/record.h"

enum record_kind {
    RECORD_UNKNOWN,
    RECORD_HEADER,
    RECORD_START,    /* the deal: n is 0 */
    RECORD_DECISION, /* an answer, or the bids of a bidding round */
    RECORD_FAULT,
    RECORD_RESULT,
    RECORD_END, /* the hash */
};

enum record_kind record_kind_of(const struct json_node *record);

/* The number of the decision that a record belongs to; -1 if it has none. */
long long record_number_of(const struct json_node *record);

/* Each returns 0; or -1 with a few words in `problem` about what is missing or impossible. */
int record_read_header(const struct json_node *record, struct record_header *header,
                       struct rules *rules, struct text *problem);
int record_read_decision(const struct json_node *record,
                         struct record_answer answers[RULES_SEATS_MAX], unsigned *count,
                         struct text *problem);
int record_read_fault(const struct json_node *record, struct record_fault *fault,
                      struct text *problem);

#endif
