#ifndef REFEREE_SERVE_QUEUE_LEDGER_PRIVATE_H
#define REFEREE_SERVE_QUEUE_LEDGER_PRIVATE_H

/* What the files of the ledger share: the lists, and their records (ledger_record.c; those that
 * change something later are in ledger_change.c). */

#include "serve/queue/ledger.h"
#include "tournament/store/journal.h"
#include "wire/json_record.h"
#include "wire/json_write.h"

struct ledger {
    char *path;
    struct journal *journal;
    struct json_writer *writer;
    struct span reading; /* the record that is being read; nothing while records are added */
    struct ledger_bot *bots;
    unsigned bot_count, bot_capacity;
    struct job **jobs; /* number N is at N - 1; jobs never move, because they are lent */
    unsigned job_count, job_capacity;
    char **users; /* the names of all users: bots and jobs share them */
    unsigned user_count;
    size_t mark;       /* of the journal, before the last addition */
    bool was_bot;      /* that was a bot, not a job */
    unsigned opened;   /* jobs that are not over */
    unsigned prunings; /* jobs with logs to delete */
};

/* Changes the lists. Texts are copied. */
struct ledger_bot *ledger_insert_bot(struct ledger *ledger, const struct ledger_bot *bot);
struct job *ledger_insert_job(struct ledger *ledger, const struct job *job);
void ledger_close_job(struct ledger *ledger, struct job *job, const struct job_end *end);
void ledger_reopen_job(struct ledger *ledger, struct job *job);
void ledger_set_trial(struct ledger_bot *bot, enum trial_result build, enum trial_result hello);

/* The beginning of the line that has a job's record. */
#define LEDGER_JOB_START "{\"job\":%u,"

/* Adds a record to the journal; or, while one is read, only says whether it has the same bytes. */
bool ledger_record_begin(struct ledger *ledger);
bool ledger_record_bot(struct ledger *ledger, const struct ledger_bot *bot);
/* What `tried` has about the build and the hello. */
bool ledger_record_trial(struct ledger *ledger, unsigned place, const struct ledger_bot *tried);
/* `results` by enum trial_step. */
bool ledger_record_check(struct ledger *ledger, unsigned place, const enum trial_result *results);
bool ledger_record_job(struct ledger *ledger, const struct job *job);
bool ledger_record_end(struct ledger *ledger, const struct job *job, const struct job_end *end);
bool ledger_record_cancel(struct ledger *ledger, const struct job *job, int64_t cancelled_s);
bool ledger_record_resume(struct ledger *ledger, const struct job *job);

/* Starts a record and ends it; members come in between. The end returns what the functions above
 * return. */
void ledger_record_start(struct ledger *ledger);
bool ledger_record_finish(struct ledger *ledger);

/* Writes what was added since the mark, or drops it. Returns 0, or -1 with errno. */
int ledger_write_since(struct ledger *ledger, size_t mark);

/* Refuses a record if it was not written again as it is. Returns 0, or -1. */
int ledger_settle_record(struct json_record *reader, bool is_same);

/* Takes a record that was read from the journal. */
journal_take_fn ledger_take_record;

/* The same for changes of bots, replays and pruning (ledger_change.c). */
typedef int ledger_take_fn(struct ledger *ledger, const struct json_node *record,
                           struct text *problem);
ledger_take_fn ledger_take_disqualify, ledger_take_reinstate, ledger_take_remove,
    ledger_take_replay, ledger_take_prune, ledger_take_pruned;

/* A name or user in a record, as users may choose them. */
const char *ledger_take_name(struct json_record *reader, const char *key, size_t most);

#endif
