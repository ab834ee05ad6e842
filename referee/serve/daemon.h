#ifndef REFEREE_SERVE_DAEMON_H
#define REFEREE_SERVE_DAEMON_H

/* The whole daemon: the queue, the control protocol and the pages, in one loop. */

#include "base/text.h"
#include "sandbox/sandbox.h"
#include "serve/ladder/ladder.h"

#include <stdbool.h>

struct event_base;
struct daemon;

#define DAEMON_ADDRESSES_MAX 16

struct daemon_setup {
    const char *folder;   /* the queue's */
    bool is_salvage;      /* as queue_setup has it */
    const char *settings; /* the path of the settings; NULL: the defaults */
    const char *socket;   /* the path of the Unix socket; NULL: none, or one of systemd's */
    const char *listen[DAEMON_ADDRESSES_MAX + 1]; /* TCP addresses; NULL ends them */
    const char *http[DAEMON_ADDRESSES_MAX + 1];   /* of the pages */
    const char *ladders[LADDERS_MAX + 1];         /* their files */
    const char *tls[2];                           /* certificate and key; NULL: no TLS */
    bool is_plaintext;   /* tokens may be sent in the clear between machines */
    bool has_remote;     /* remote bots are allowed */
    const char *program; /* as queue_setup has it, */
    unsigned slots;      /* and this */
    const char *gearman[QUEUE_SERVERS_MAX + 1]; /* job servers; NULL ends them */
    const char *key_file;                       /* for their workers; NULL: there are none */
    enum sandbox_level level;                   /* SANDBOX_AUTO: the best that is complete here */
    unsigned connections;                       /* at once, for requests and for pages each */
    /* A line for the user who runs it. */
    void (*report)(void *context, const char *line);
    /* It has drained. Called from the loop; it may be freed after that. */
    void (*on_end)(void *context);
    void *context;
};

/* Opens everything. Returns NULL with a sentence in `problem`. */
struct daemon *daemon_new(struct event_base *base, const struct daemon_setup *setup,
                          struct text *problem);
void daemon_free(struct daemon *daemon);

/* Lets the current matches end and starts no others; called again, or urgently, it stops them. */
void daemon_drain(struct daemon *daemon, bool is_urgent);

/* Reloads the users, the certificate, the settings and the files of the ladders. A file with a
 * mistake changes nothing. */
void daemon_reload(struct daemon *daemon);

#endif
