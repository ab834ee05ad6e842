#ifndef REFEREE_WIRE_FEED_LINE_H
#define REFEREE_WIRE_FEED_LINE_H

/* What happens, as lines: the feed of a process that plays a tournament, and the events of the
 * daemon, which are "JOB " and such a line (serve/protocol.md, "watch"). One table of kinds
 * and their fields; writers and readers share it. Texts that were read are lent from the line. */

#include "base/text.h"

#include <stdbool.h>

#define FEED_LINE_MAX 4095 /* bytes; longer lines are cut */

enum feed_line_kind {
    FEED_LINE_BEGIN,     /* decided, matches */
    FEED_LINE_MATCH,     /* block, match; text: feed_line_add_seat() */
    FEED_LINE_BLOCK,     /* block, decided, matches: it is published */
    FEED_LINE_STANDINGS, /* the tables were written */
    FEED_LINE_NOTE,      /* text */
    FEED_LINE_BOT,       /* name, matches, wins, median_us, p99_us; text: feed_line_add_fault() */
    FEED_LINE_DISK,      /* bytes: what its store uses */
    FEED_LINE_IDLE,      /* worker: one that may not play any more has finished */
    FEED_LINE_END,       /* state: how the process ended */
    /* Only as events of the daemon: */
    FEED_LINE_QUEUED,  /* user, text: the title */
    FEED_LINE_PLAYING, /* */
    FEED_LINE_OVER,    /* state, text: a message or "" */
    FEED_LINE_NEW_BOT, /* name, version, user; of job 0 */
    FEED_LINE_TRIAL,   /* name, version; text: "build=… hello=… check=…"; of job 0 */
    FEED_LINE_MARKED,  /* name, state: disqualified, reinstated, removed; text: why; of job 0 */
    FEED_LINE_LADDER,  /* name: its ratings have changed; of job 0 */
    FEED_LINE_ENDING,  /* the daemon is about to end; of job 0 */
    FEED_LINE_KIND_COUNT,
};

struct feed_line {
    enum feed_line_kind kind;
    long job; /* of an event; 0: the daemon itself */
    long block, match, decided, matches, wins, median_us, p99_us, version, worker, bytes;
    struct span name, user, state, text;
};

/* Adds a line without its end; adds an event, which begins with its job. */
void feed_line_write(struct text *text, const struct feed_line *line);
void feed_line_write_event(struct text *text, const struct feed_line *line);

/* Reads them. Returns 0, or -1 if the line is of no known kind or lacks a field. */
int feed_line_read(struct feed_line *line, struct span text);
int feed_line_read_event(struct feed_line *line, struct span text);

/* Whether the daemon passes a line of its process on to clients. */
bool feed_line_is_public(enum feed_line_kind kind);

/* One seat of a match. */
struct feed_line_seat {
    struct span name;
    long place;
    struct span score; /* "12.5" */
    struct span fault; /* a code, or "-" */
};

/* Adds a seat to the text of FEED_LINE_MATCH; cuts the next one off it. Returns false if none is
 * left. */
void feed_line_add_seat(struct text *text, const struct feed_line_seat *seat);
bool feed_line_cut_seat(struct span *rest, struct feed_line_seat *seat);

/* The same for the faults of FEED_LINE_BOT: a code and how often it occurred. */
void feed_line_add_fault(struct text *text, const char *code, unsigned count);
bool feed_line_cut_fault(struct span *rest, struct span *code, long *count);

#endif
