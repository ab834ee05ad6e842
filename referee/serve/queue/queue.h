#ifndef REFEREE_SERVE_QUEUE_QUEUE_H
#define REFEREE_SERVE_QUEUE_QUEUE_H

/* The heart of the daemon: takes bots and works, keeps them (ledger.h), lets works be played in their
 * turn, each by a process of its own, and tells who watches (broadcast.h). Knows nothing of connections.
 *
 * Its folder:
 *   ledger.ndjson          bots and works
 *   lock                   held while the daemon runs
 *   users                  who may come from elsewhere (users.h)
 *   bots/NAME/VERSION/     an upload, as it came
 *   builds/HASH/           a bot with a build command, as it was built
 *   works/NUMBER/plan.json  what is played, complete
 *   works/NUMBER/store/     the store of that tournament (tournament/store.h), its tables and report
 *   works/NUMBER/words      the last that its process said on stderr
 */

#include "sandbox/sandbox.h"
#include "serve/queue/broadcast.h"
#include "serve/queue/ledger.h"
#include "serve/queue/serve_error.h"

#include <stdbool.h>
#include <stddef.h>

struct event_base;
struct queue;

#define QUEUE_UPLOAD_MAX (16UL << 20)
#define QUEUE_JOBS_MAX 200  /* that a user has in the queue */
#define QUEUE_BOTS_MAX 1000 /* versions that a user has */

struct queue_setup {
    struct event_base *base;
    const char *folder;       /* made if it is not there */
    const char *program;      /* of the referee: works are played by `PROGRAM tournament …` */
    unsigned slots;           /* matches at once, as worker processes; 0: one a core */
    enum sandbox_level level; /* SANDBOX_GUARDED or SANDBOX_SEALED */
    const char *socket; /* where bots that play from elsewhere are fetched; NULL: there are none */
    /* Whether a bot that plays from elsewhere is there: a work waits for it. */
    bool (*is_connected)(void *context, const char *name);
    /* After queue_drain(): nothing is being played any more. From the loop; the queue may not be freed
     * in it. */
    void (*on_idle)(void *context);
    void *context;
};

/* Who asks. */
struct caller {
    const char *user;
    bool is_owner; /* the one who runs the daemon: may name folders of this machine, and touch
                    * everybody's works */
};

/* A bot that is handed in. What is not said is NULL or 0. */
struct bot_offer {
    const char *name;
    const char *command; /* of an upload: "./FILE" if it is not said */
    const char *build;
    const char *folder; /* of this machine: only from the owner */
    const char *file;   /* the name of an upload: letters, digits, `.`, `-`, `_`; no folder */
    const char *bytes;  /* the upload */
    size_t length;
    long memory_mb;
    bool is_remote; /* it plays from elsewhere */
};

/* Opens the folder, locks it and goes on with what was not over. Returns NULL with a sentence in
 * `problem`. */
struct queue *queue_new(const struct queue_setup *setup, struct text *problem);

/* Kills what still plays. NULL is fine. */
void queue_free(struct queue *queue);

const struct ledger *queue_ledger(const struct queue *queue);
struct broadcast *queue_broadcast(const struct queue *queue);
bool queue_is_draining(const struct queue *queue);

/* Whether bots may play from elsewhere. */
bool queue_has_remote(const struct queue *queue);

/* These return 0 (or a number from 1) when all is on the disk; -1 with a error. */

/* The new version of the bot. */
int queue_submit_bot(struct queue *queue, const struct caller *caller,
                     const struct bot_offer *offer, struct serve_error *error);

/* A tournament file, or a match in the form of one. A bot in it that has no command is the newest of that
 * name here; commands and folders are only for the owner. The number of the work. */
int queue_submit_job(struct queue *queue, const struct caller *caller, struct span file,
                     bool is_match, struct serve_error *error);

/* Takes a work out of the queue, or stops it: what is decided by then stays. */
int queue_cancel(struct queue *queue, const struct caller *caller, unsigned number,
                 struct serve_error *error);

/* A bot has come from elsewhere: perhaps a work can begin. */
void queue_look(struct queue *queue);

/* What is there to read of a work. */
enum artifact {
    ARTIFACT_TEXT,    /* the standings as text */
    ARTIFACT_JSON,    /* as JSON */
    ARTIFACT_CSV,     /* as CSV */
    ARTIFACT_CROSS,   /* the cross table as CSV */
    ARTIFACT_MATCHES, /* one row a match */
    ARTIFACT_HTML,    /* the report, one page */
    ARTIFACT_COUNT,
};

/* "text", "json", "csv", "cross", "matches", "html". */
extern const char *const artifact_names[ARTIFACT_COUNT];

/* Opens a paper, or the log of a match that everybody may see. `match` counts from 1 in its block.
 * Returns a descriptor, which is the caller's, and its length in bytes; or -1 with a error. */
int queue_open_artifact(const struct queue *queue, unsigned number, enum artifact paper,
                        size_t *length, struct serve_error *error);
int queue_open_log(const struct queue *queue, unsigned number, unsigned block, unsigned match,
                   size_t *length, struct serve_error *error);

/* Begins no match any more; on_idle comes when those that run have ended. What is left goes on when the
 * daemon is started again. `is_urgent`: those that run are stopped. */
void queue_drain(struct queue *queue, bool is_urgent);

#endif
