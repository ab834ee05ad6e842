#ifndef REFEREE_SERVE_CONTROL_REQUEST_PRIVATE_H
#define REFEREE_SERVE_CONTROL_REQUEST_PRIVATE_H

/* For the files of request.h alone: a line in pieces. */

#include "serve/control/request.h"

#define REQUEST_PIECES_MAX (1 + REQUEST_WORDS_MAX + REQUEST_PAIRS_MAX)

struct request_piece {
    struct span key;   /* lies in the line; empty: it is a word */
    const char *value; /* or the word */
};

struct request_pieces {
    struct request_piece list[REQUEST_PIECES_MAX];
    unsigned count;
};

/* Cuts a line; the values lie in `bytes`. The first piece is a word. Returns 0, or -1 with a error. */
int request_cut(struct span line, char bytes[REQUEST_LINE_MAX + 1], struct request_pieces *pieces,
                struct serve_error *error);

#endif
