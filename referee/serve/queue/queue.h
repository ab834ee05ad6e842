#ifndef REFEREE_SERVE_OFFICE_H
#define REFEREE_SERVE_OFFICE_H

/* The heart of the daemon: takes bots and works, keeps them (ledger.h), lets works be played in their
 * turn, each by a process of its own, and tells who watches (hub.h). Knows nothing of connections.
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

#include "bot/contain.h"
#include "serve/hub.h"
#include "serve/ledger.h"
#include "serve/denial.h"

#include <stdbool.h>
#include <stddef.h>

struct event_base;
struct office;

#define OFFICE_UPLOAD_MAX (16UL << 20)
#define OFFICE_WORKS_MAX 200 /* that a user has in the queue */
#define OFFICE_BOTS_MAX 1000 /* versions that a user has */

struct office_setup {
    struct event_base *base;
    const char *folder;       /* made if it is not there */
    const char *program;      /* of the referee: works are played by `PROGRAM tournament …` */
    unsigned slots;           /* matches at once, as worker processes; 0: one a core */
    enum contain_level level; /* CONTAIN_GUARDED or CONTAIN_SEALED */
    const char *socket; /* where bots that play from elsewhere are fetched; NULL: there are none */
    /* Whether a bot that plays from elsewhere is there: a work waits for it. */
    bool (*is_connected)(void *context, const char *name);
    /* After office_drain(): nothing is being played any more. From the loop; the office may not be freed
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
struct office *office_new(const struct office_setup *setup, struct text *problem);

/* Kills what still plays. NULL is fine. */
void office_free(struct office *office);

const struct ledger *office_ledger(const struct office *office);
struct hub *office_hub(const struct office *office);
bool office_is_draining(const struct office *office);

/* Whether bots may play from elsewhere. */
bool office_has_remote(const struct office *office);

/* These return 0 (or a number from 1) when all is on the disk; -1 with a denial. */

/* The new version of the bot. */
int office_submit_bot(struct office *office, const struct caller *caller,
                      const struct bot_offer *offer, struct denial *denial);

/* A tournament file, or a match in the form of one. A bot in it that has no command is the newest of that
 * name here; commands and folders are only for the owner. The number of the work. */
int office_submit_work(struct office *office, const struct caller *caller, struct span file,
                       bool is_match, struct denial *denial);

/* Takes a work out of the queue, or stops it: what is decided by then stays. */
int office_cancel(struct office *office, const struct caller *caller, unsigned number,
                  struct denial *denial);

/* A bot has come from elsewhere: perhaps a work can begin. */
void office_look(struct office *office);

/* What is there to read of a work. */
enum office_paper {
    OFFICE_TEXT,    /* the standings as text */
    OFFICE_JSON,    /* as JSON */
    OFFICE_CSV,     /* as CSV */
    OFFICE_CROSS,   /* the cross table as CSV */
    OFFICE_MATCHES, /* one row a match */
    OFFICE_HTML,    /* the report, one page */
    OFFICE_PAPER_COUNT,
};

/* "text", "json", "csv", "cross", "matches", "html". */
extern const char *const office_paper_names[OFFICE_PAPER_COUNT];

/* Opens a paper, or the log of a match that everybody may see. `match` counts from 1 in its block.
 * Returns a descriptor, which is the caller's, and its length in bytes; or -1 with a denial. */
int office_open_paper(const struct office *office, unsigned number, enum office_paper paper,
                      size_t *length, struct denial *denial);
int office_open_log(const struct office *office, unsigned number, unsigned block, unsigned match,
                    size_t *length, struct denial *denial);

/* Begins no match any more; on_idle comes when those that run have ended. What is left goes on when the
 * daemon is started again. `is_urgent`: those that run are stopped. */
void office_drain(struct office *office, bool is_urgent);

#endif
