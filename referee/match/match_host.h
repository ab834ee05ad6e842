#ifndef REFEREE_MATCH_MATCH_HOST_H
#define REFEREE_MATCH_MATCH_HOST_H

/* The host of one match: starts its bots, carries questions and answers between them and the match,
 * writes the log and the bots' stderr next to it, and ends the bots when it is over. */

#include "bot/bot_command.h"
#include "bot/bot_chaos.h"
#include "match/match.h"
#include "match/bot_pool.h"

#include <stdbool.h>

struct event_base;
struct match_host;

/* A seat without a process: its driver answers by calling match_host_answer(). */
struct match_host_driver {
    /* A question is open for the seat. Must not call match_host_answer() before it returns. */
    void (*ask)(void *context, struct match_host *host, unsigned seat);
    void *context;
};

/* Where and with what the bot of a seat runs, as in bot_spec; all zero: as we do. */
struct match_host_process {
    const char *folder;
    bool is_folder_shared;
    const char *const *environment;
    long memory_mb;
    const char *problem; /* why it cannot be started, or NULL */
    bool is_ours;        /* a part of the referee, and so not contained */
};

/* Everything is lent for the life of the host. */
struct match_host_setup {
    struct match_setup match; /* the host fills in what it knows about bots */
    const struct bot_command *commands[ALLEGRA_SEATS_MAX]; /* NULL where there is a driver */
    struct match_host_driver drivers[ALLEGRA_SEATS_MAX];
    struct match_host_process processes[ALLEGRA_SEATS_MAX];
    struct bot_chaos *chaos[ALLEGRA_SEATS_MAX]; /* or NULL */
    const char *log_path;                       /* or NULL; see log_file.h */
    bool leaves_sync;                           /* the caller brings the log to the disk */
    /* Where bots wait between matches, or NULL: then each is started and ended with the match. */
    struct bot_pool *pool;
    unsigned kinds[ALLEGRA_SEATS_MAX]; /* with a pool: the number of the bot on each seat */
    uint32_t deal;                     /* likewise of the deal */
    bool shows_stderr;
    int cpu;                     /* to pin the bots to, or -1 */
    struct sandbox *sandbox;     /* NULL: bots are not contained */
    struct match_observer watch; /* none of its functions may free the host */
    /* Called once from the loop, when the match is decided and its log is complete, or when it is
     * void. All bots are gone by then. The host may be freed in it. */
    void (*on_end)(void *context, struct match_host *host);
    void *context;
};

/* Starts a match. If the machine has no room for it, match_host_void() says so at once and on_end
 * is never called; later trouble comes to on_end. */
struct match_host *match_host_start(struct event_base *base, const struct match_host_setup *setup);

/* Stops at once whatever is still running. NULL is fine. */
void match_host_free(struct match_host *host);

/* The answer of a seat with a driver. If the rules refuse it, the question stays open. */
enum allegra_refusal match_host_answer(struct match_host *host, unsigned seat,
                                       const struct seat_reply *reply);

/* Instead of an answer: the seat is dismissed as if its bot had ended. */
void match_host_give_up(struct match_host *host, unsigned seat);

/* Holds the match, or lets it continue. While it is held, questions that are open can be answered,
 * and no clock runs, because nobody is asked anything more. */
void match_host_hold(struct match_host *host, bool is_held);

/* Where the log is, up to its last record, as long as it is not complete, and where it stays if the
 * match is stopped or void. NULL if there is no such file. */
const char *match_host_partial_log(const struct match_host *host);

/* After the end of a match with a log: what its last line says. */
const char *match_host_log_hash(const struct match_host *host);

const struct match *match_host_get_match(const struct match_host *host);

/* After the end of the match: how the process of a seat ended, as in bot_ending(); "" if there was
 * none or it stays. */
const char *match_host_ending(const struct match_host *host, unsigned seat);

/* NULL if the match was played; else why it is void, through no fault of a bot. */
const char *match_host_void(const struct match_host *host);

/* Of a void match: the errno of what went wrong; 0 if there is none. */
int match_host_error(const struct match_host *host);

/* Of a void match: a bot from the pool had ended or misbehaved before it was asked for the first
 * time in this match. It is to be played again with new processes. */
bool match_host_is_stale(const struct match_host *host);

#endif
