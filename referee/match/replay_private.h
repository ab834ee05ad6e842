#ifndef REFEREE_MATCH_REPLAY_PRIVATE_H
#define REFEREE_MATCH_REPLAY_PRIVATE_H

/* Shared by the files of a replay: replay_file.c reads a log, replay.c plays it. */

#include "match/replay.h"
#include "match/replay_cards.h"
#include "wire/log_record_read.h"

/* At most one line for each seat's fault, and the decision itself. */
#define AHEAD_MAX (ALLEGRA_SEATS_MAX + 1)

struct replay {
    char *file; /* NULL if the bytes are lent */
    const char *bytes;
    size_t length;
    struct span *lines;
    unsigned long line_count;
    unsigned long record_count; /* of these lines, without the last one if that has the hash */
    bool is_cut;                /* the end is missing */
    bool is_torn;               /* also a part of its last line, which does not count */
    bool has_seed;
    struct replay_cards *cards; /* without the seed: what appeared in the events */
    struct allegra_shuffler shuffler;
    char cut[160];

    struct json_document *header_document;
    const struct json_node *header_root;
    struct json_document *result_document;
    struct log_record_header header;
    struct allegra_rules rules;
    struct match_setup setup;
    unsigned long decisions;
    char hash[LOG_RECORD_HASH_HEX];

    replay_tap_fn *tap;
    void *context;
    struct match *match;
    unsigned long line; /* the next one that the match has to write */
    struct allegra_events events;
    bool is_wrong;
    char problem[1200];

    /* The decision that comes next. */
    struct json_document *ahead[AHEAD_MAX];
    struct log_record_fault faults[ALLEGRA_SEATS_MAX];
    unsigned fault_count;
    struct log_record_answer answers[ALLEGRA_SEATS_MAX];
    unsigned answer_count;
};

/* Something is wrong with that line (from 0). The first thing that is wrong counts. */
void replay_complain(struct replay *replay, unsigned long line, const char *what, const char *more);

/* Reads a line as JSON; NULL after it complained. */
const struct json_node *replay_read_line(struct replay *replay, struct json_document *document,
                                         unsigned long line);

/* Plays from the beginning to the first question. */
void replay_begin(struct replay *replay);

#endif
