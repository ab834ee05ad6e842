#ifndef REFEREE_WIRE_REQUEST_ERROR_H
#define REFEREE_WIRE_REQUEST_ERROR_H

/* Why the daemon refuses a request: one closed table, shared by replies, clients, documents and
 * tests. */

#include "base/text.h"

/* Whose fault it is, as replies write it: "yours", "bots", "ours". */
enum request_error_class {
    REQUEST_ERROR_YOURS, /* the request is wrong: the same request never succeeds */
    REQUEST_ERROR_BOTS,  /* the bot that it is about cannot be used */
    REQUEST_ERROR_OURS,  /* the daemon or its machine cannot do it now: try again later */
    REQUEST_ERROR_CLASS_COUNT,
};

enum request_error_code {
    REQUEST_ERROR_NONE,
    REQUEST_ERROR_UNREADABLE, /* the line does not follow the protocol */
    REQUEST_ERROR_TOO_LONG,   /* the line is longer than the limit */
    REQUEST_ERROR_NO_HELLO,   /* the first line is not `hello 1` */
    REQUEST_ERROR_VERSION,    /* another version of the protocol */
    REQUEST_ERROR_TOKEN,      /* it is missing, or nobody has it */
    REQUEST_ERROR_FORBIDDEN,  /* this caller may not do that */
    REQUEST_ERROR_UNKNOWN,    /* there is no such request */
    REQUEST_ERROR_VALUE,      /* a word or key is missing, unknown, repeated or out of range */
    REQUEST_ERROR_CONFIG,     /* the tournament file has mistakes: the message reports the first */
    REQUEST_ERROR_NO_BOT,     /* there is no bot of that name */
    REQUEST_ERROR_NO_JOB,     /* there is no job of that number */
    REQUEST_ERROR_NO_LADDER,  /* there is no ladder of that name */
    REQUEST_ERROR_NO_LOG,     /* no such match, or it is not decided, or nothing is written yet */
    REQUEST_ERROR_NAME_TAKEN, /* the bot of that name belongs to another user */
    REQUEST_ERROR_TOO_LATE,   /* the job has ended */
    REQUEST_ERROR_TOO_LARGE,  /* the block is larger than the limit */
    REQUEST_ERROR_TOO_MANY,   /* bots or jobs of this user */
    REQUEST_ERROR_CANNOT_RUN, /* the bot's command cannot be run */
    REQUEST_ERROR_NOT_CONNECTED, /* the bot is remote, and remote bots are switched off */
    REQUEST_ERROR_BUSY,          /* too many connections or uploads at once */
    REQUEST_ERROR_ENDING,        /* the daemon is about to end */
    REQUEST_ERROR_DISK,          /* it could not be written */
    REQUEST_ERROR_CODE_COUNT,
};

#define REQUEST_ERROR_MESSAGE_MAX 1000

struct request_error {
    enum request_error_code code;
    char message[REQUEST_ERROR_MESSAGE_MAX]; /* one sentence, printable */
};

/* "unreadable", "too_long", …, and whose fault each is. */
const char *request_error_name(enum request_error_code code);
enum request_error_class request_error_class(enum request_error_code code);

/* Fills it in. Returns -1, so that a caller can `return request_error_set(…)`. */
int request_error_set(struct request_error *error, enum request_error_code code, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

/* Adds "error CLASS CODE MESSAGE", without a line end. */
void request_error_write(struct text *text, const struct request_error *error);

/* Reads what follows "error " in such a line. `message` begins after class and code, or is all of
 * it if they are missing; an unknown class is REQUEST_ERROR_OURS. */
enum request_error_class request_error_read(const char *line, const char **message);

#endif
