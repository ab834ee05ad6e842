#ifndef REFEREE_SERVE_DAEMON_H
#define REFEREE_SERVE_DAEMON_H

/* The whole daemon: the queue, its doors and its pages, in one loop. */

#include "base/text.h"
#include "sandbox/sandbox.h"

#include <stdbool.h>

struct event_base;
struct daemon;

#define DAEMON_DOORS_MAX 16

struct daemon_setup {
    const char *folder; /* the queue's */
    const char *socket; /* the path of the Unix socket; NULL: none, or one of systemd's */
    const char *listen[DAEMON_DOORS_MAX + 1]; /* TCP addresses; NULL ends them */
    const char *http[DAEMON_DOORS_MAX + 1];   /* of the pages */
    bool has_remote;                          /* bots may play from elsewhere */
    const char *program;                      /* as office_setup has it, */
    unsigned slots;                           /* and this */
    enum sandbox_level level;                 /* SANDBOX_AUTO: the best that is complete here */
    unsigned connections;                     /* at once, at each kind of door */
    /* One sentence for who runs it. */
    void (*say)(void *context, const char *words);
    /* It has drained. From the loop; it may be freed after that. */
    void (*on_end)(void *context);
    void *context;
};

/* Opens everything. Returns NULL with a sentence in `problem`. */
struct daemon *daemon_new(struct event_base *base, const struct daemon_setup *setup,
                          struct text *problem);
void daemon_free(struct daemon *daemon);

/* Lets the matches that are being played end, and begins no other; asked again it stops at once. */
void daemon_drain(struct daemon *daemon, bool is_urgent);

/* Reads anew who may come from elsewhere. */
void daemon_reload(struct daemon *daemon);

#endif
