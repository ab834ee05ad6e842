#ifndef REFEREE_SERVE_OFFICE_PRIVATE_H
#define REFEREE_SERVE_OFFICE_PRIVATE_H

/* What the files of the office share: the office itself, and the works that are being played. */

#include "serve/office.h"
#include "serve/run.h"
#include "tournament/plan.h"

struct event;
struct errand;

/* When a user was served last, in the order of serving. */
struct turn {
    char *user;
    unsigned long served;
};

struct office {
    struct office_setup setup;
    char *folder; /* absolute */
    int lock_fd;
    struct ledger *ledger;
    struct hub *hub;
    struct errand *errands; /* what is being played */
    struct turn *turns;
    unsigned turn_count;
    unsigned long served;
    struct event *on_retry; /* something could not be started or written */
    bool is_draining;
    bool was_idle; /* on_idle was called */
};

/* A work that is being played (errand.c). */
struct errand {
    struct office *office;
    unsigned number;
    bool is_match;
    unsigned slots; /* how many workers it has */
    int core;       /* where it is kept, or -1 */
    struct plan *plan;
    struct ledger_score *scores; /* by bots of the plan */
    unsigned scored;             /* how many of them came */
    struct run *run;
    char end[16]; /* how it says that it ended; "" before */
    bool is_cancelled;
    unsigned stops; /* how often it was asked to stop */
    struct event *on_impatience;
    struct errand *next;
};

/* Begins to play a work with that many workers. Returns NULL with a denial: of DENIAL_DISK it can be tried
 * again, otherwise it never succeeds. */
struct errand *errand_start(struct office *office, const struct work *work, unsigned slots,
                            int core, struct denial *denial);
void errand_free(struct errand *errand);

/* Lets it end: it finishes its matches, or stops at once. A second call is more urgent. */
void errand_stop(struct errand *errand, bool is_urgent);

/* Its process has ended (office.c). */
void office_end_errand(struct office *office, struct errand *errand, int status);

/* A work is over (office.c). */
void office_end_work(struct office *office, unsigned number, enum work_state state,
                     const char *words, const struct ledger_score *scores);

/* Looks at everything again, soon (office.c). */
void office_retry_later(struct office *office);

/* Begins what can begin (office_queue.c). */
void office_begin_works(struct office *office);

/* Denials that several have: it could not be written (errno), and nothing is taken any more
 * (office_works.c). Both return -1; the second 0 if there is no reason for it. */
int office_deny_disk(struct denial *denial, const char *what);
int office_deny_if_ending(const struct office *office, struct denial *denial);

/* FOLDER/works/NUMBER/NAME. Give it back with free(). */
char *office_work_path(const struct office *office, unsigned number, const char *name);

#endif
