#ifndef REFEREE_SERVE_SERVER_H
#define REFEREE_SERVE_SERVER_H

/* The whole daemon: the office, its doors and its pages, in one loop. */

#include "base/text.h"
#include "bot/contain.h"

#include <stdbool.h>

struct event_base;
struct server;

#define SERVER_DOORS_MAX 16

struct server_setup {
    const char *folder; /* the office's */
    const char *socket; /* the path of the Unix socket; NULL: none, or one of systemd's */
    const char *listen[SERVER_DOORS_MAX + 1]; /* TCP addresses; NULL ends them */
    const char *http[SERVER_DOORS_MAX + 1];   /* of the pages */
    bool has_remote;                          /* bots may play from elsewhere */
    const char *program;                      /* as office_setup has it, */
    unsigned slots;                           /* and this */
    enum contain_level level;                 /* CONTAIN_AUTO: the best that is complete here */
    unsigned connections;                     /* at once, at each kind of door */
    /* One sentence for who runs it. */
    void (*say)(void *context, const char *words);
    /* It has drained. From the loop; it may be freed after that. */
    void (*on_end)(void *context);
    void *context;
};

/* Opens everything. Returns NULL with a sentence in `problem`. */
struct server *server_new(struct event_base *base, const struct server_setup *setup,
                          struct text *problem);
void server_free(struct server *server);

/* Lets the matches that are being played end, and begins no other; asked again it stops at once. */
void server_drain(struct server *server, bool is_urgent);

/* Reads anew who may come from elsewhere. */
void server_reload(struct server *server);

#endif
