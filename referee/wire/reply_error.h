#ifndef REFEREE_WIRE_REPLY_ERROR_H
#define REFEREE_WIRE_REPLY_ERROR_H

/* Why the daemon refuses a request: one closed table, shared by replies, clients, documents and
 * tests. */

#include "base/text.h"

/* Whose fault it is, as replies write it: "yours", "bots", "ours". */
enum reply_error_class {
    REPLY_ERROR_YOURS, /* the request is wrong: the same request never succeeds */
    REPLY_ERROR_BOTS,  /* the bot that it is about cannot be used */
    REPLY_ERROR_OURS,  /* the daemon or its machine cannot do it now: try again later */
    REPLY_ERROR_CLASS_COUNT,
};

enum reply_error_code {
    REPLY_ERROR_NONE,
    REPLY_ERROR_UNREADABLE,    /* the line does not follow the protocol */
    REPLY_ERROR_TOO_LONG,      /* the line is longer than the limit */
    REPLY_ERROR_NO_HELLO,      /* the first line is not `hello 1` */
    REPLY_ERROR_VERSION,       /* another version of the protocol */
    REPLY_ERROR_TOKEN,         /* it is missing, or nobody has it */
    REPLY_ERROR_FORBIDDEN,     /* this caller may not do that */
    REPLY_ERROR_UNKNOWN,       /* there is no such request */
    REPLY_ERROR_VALUE,         /* a word or key is missing, unknown, repeated or out of range */
    REPLY_ERROR_CONFIG,        /* the tournament file has mistakes: the message reports the first */
    REPLY_ERROR_NO_BOT,        /* there is no bot of that name */
    REPLY_ERROR_NO_JOB,        /* there is no job of that number */
    REPLY_ERROR_NO_LOG,        /* no such match, or it is not decided, or nothing is written yet */
    REPLY_ERROR_NAME_TAKEN,    /* the bot of that name belongs to another user */
    REPLY_ERROR_TOO_LATE,      /* the job has ended */
    REPLY_ERROR_TOO_LARGE,     /* the block is larger than the limit */
    REPLY_ERROR_TOO_MANY,      /* bots or jobs of this user */
    REPLY_ERROR_CANNOT_RUN,    /* the bot's command cannot be run */
    REPLY_ERROR_NOT_CONNECTED, /* the bot is remote, and remote bots are switched off */
    REPLY_ERROR_BUSY,          /* too many connections or uploads at once */
    REPLY_ERROR_ENDING,        /* the daemon is about to end */
    REPLY_ERROR_DISK,          /* it could not be written */
    REPLY_ERROR_CODE_COUNT,
};

#define REPLY_ERROR_MESSAGE_MAX 1000

struct reply_error {
    enum reply_error_code code;
    char message[REPLY_ERROR_MESSAGE_MAX]; /* one sentence, printable */
};

/* "unreadable", "too_long", …, and whose fault each is. */
const char *reply_error_name(enum reply_error_code code);
enum reply_error_class reply_error_class(enum reply_error_code code);

/* Fills it in. Returns -1, so that a caller can `return reply_error_set(…)`. */
int reply_error_set(struct reply_error *error, enum reply_error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds "error CLASS CODE MESSAGE", without a line end. */
void reply_error_write(struct text *text, const struct reply_error *error);

/* Reads what follows "error " in such a line. `message` begins after class and code, or is all of
 * it if they are missing; an unknown class is REPLY_ERROR_OURS. */
enum reply_error_class reply_error_read(const char *line, const char **message);

#endif
