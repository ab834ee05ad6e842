#ifndef REFEREE_SERVE_QUEUE_SERVE_ERROR_H
#define REFEREE_SERVE_QUEUE_SERVE_ERROR_H

/* Why the daemon does not do what it was asked for: one closed table, which replies, documents and tests
 * share. */

/* Whose fault it is, as replies write it: "yours", "bots", "ours". */
enum serve_error_class {
    SERVE_ERROR_YOURS, /* the request is wrong: as it stands it never succeeds */
    SERVE_ERROR_BOTS,  /* the bot that it is about cannot be used */
    SERVE_ERROR_OURS,  /* the daemon or its machine cannot do it now: try again later */
    SERVE_ERROR_CLASS_COUNT,
};

enum serve_error_code {
    SERVE_ERROR_NONE,
    SERVE_ERROR_UNREADABLE, /* the line is not the protocol */
    SERVE_ERROR_TOO_LONG,   /* the line has no end within the limit */
    SERVE_ERROR_NO_HELLO,   /* the first line must be `hello 1` */
    SERVE_ERROR_VERSION,    /* another version of the protocol */
    SERVE_ERROR_TOKEN,      /* it is missing, or nobody has it */
    SERVE_ERROR_FORBIDDEN,  /* this caller may not do that */
    SERVE_ERROR_UNKNOWN,    /* there is no such request */
    SERVE_ERROR_VALUE,      /* a word or key is missing, unknown, twice or out of range */
    SERVE_ERROR_CONFIG,     /* the tournament file has mistakes: the words tell the first */
    SERVE_ERROR_NO_BOT,     /* there is no bot of that name */
    SERVE_ERROR_NO_JOB,     /* there is no work of that number */
    SERVE_ERROR_NO_LOG, /* there is no such match, or it is not decided, or nothing is written yet */
    SERVE_ERROR_NAME_TAKEN,    /* the bot of that name belongs to somebody else */
    SERVE_ERROR_TOO_LATE,      /* the work has ended */
    SERVE_ERROR_TOO_LARGE,     /* what is sent is larger than the limit */
    SERVE_ERROR_TOO_MANY,      /* bots or works of this user */
    SERVE_ERROR_CANNOT_RUN,    /* the bot's command cannot be run */
    SERVE_ERROR_NOT_CONNECTED, /* the bot plays from elsewhere, and that is switched off */
    SERVE_ERROR_BUSY,          /* too many connections or uploads at once */
    SERVE_ERROR_ENDING,        /* the daemon is about to end */
    SERVE_ERROR_DISK,          /* it could not be written */
    SERVE_ERROR_CODE_COUNT,
};

#define SERVE_ERROR_WORDS_MAX 1000

struct serve_error {
    enum serve_error_code code;
    char words[SERVE_ERROR_WORDS_MAX]; /* one sentence, printable */
};

/* "unreadable", "too_long", …, and whose fault each is. */
const char *serve_error_name(enum serve_error_code code);
enum serve_error_class serve_error_class(enum serve_error_code code);
const char *serve_error_class_name(enum serve_error_class class);

/* Fills it in. Returns -1, so that a caller can `return deny(…)`. */
int serve_error_set(struct serve_error *error, enum serve_error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
