#ifndef REFEREE_SERVE_QUEUE_LEDGER_PRIVATE_H
#define REFEREE_SERVE_QUEUE_LEDGER_PRIVATE_H

/* What the files of the ledger share: the lists, and each thing as a record (ledger_record.c). */

#include "serve/queue/ledger.h"
#include "tournament/store/journal.h"
#include "wire/json_write.h"

struct ledger {
    struct journal *journal;
    struct json_writer *writer;
    struct ledger_bot *bots;
    unsigned bot_count, bot_capacity;
    struct job **jobs; /* that of number N at N - 1: they never move, because they are lent */
    unsigned job_count, job_capacity;
    size_t mark;     /* of the journal, before what was added last */
    bool was_bot;    /* that was a bot, not a work */
    unsigned opened; /* works that are not over */
};

/* Puts something into the lists. Texts are copied. */
struct ledger_bot *ledger_keep_bot(struct ledger *ledger, const struct ledger_bot *bot);
struct job *ledger_keep_job(struct ledger *ledger, const struct job *job);
void ledger_keep_end(struct ledger *ledger, struct job *job, enum job_state state,
                     const char *words, const struct ledger_score *scores);

/* Adds a record to the journal. */
void ledger_record_bot(struct ledger *ledger, const struct ledger_bot *bot);
void ledger_record_job(struct ledger *ledger, const struct job *job);
void ledger_record_end(struct ledger *ledger, const struct job *job,
                       const struct ledger_score *scores);

/* Takes a record that was read. */
journal_take_fn ledger_take;

#endif
