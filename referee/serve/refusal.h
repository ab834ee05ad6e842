#ifndef REFEREE_SERVE_REFUSAL_H
#define REFEREE_SERVE_REFUSAL_H

/* Why the daemon does not do what it was asked for: one closed table, which replies, documents and tests
 * share. */

/* Whose fault it is, as replies write it: "yours", "bots", "ours". */
enum refusal_class {
    REFUSAL_YOURS, /* the request is wrong: as it stands it never succeeds */
    REFUSAL_BOTS,  /* the bot that it is about cannot be used */
    REFUSAL_OURS,  /* the daemon or its machine cannot do it now: try again later */
    REFUSAL_CLASS_COUNT,
};

enum refusal_code {
    REFUSAL_NONE,
    REFUSAL_UNREADABLE, /* the line is not the protocol */
    REFUSAL_TOO_LONG,   /* the line has no end within the limit */
    REFUSAL_NO_HELLO,   /* the first line must be `hello 1` */
    REFUSAL_VERSION,    /* another version of the protocol */
    REFUSAL_TOKEN,      /* it is missing, or nobody has it */
    REFUSAL_FORBIDDEN,  /* this caller may not do that */
    REFUSAL_UNKNOWN,    /* there is no such request */
    REFUSAL_VALUE,      /* a word or key is missing, unknown, twice or out of range */
    REFUSAL_PLAN,       /* the tournament file has mistakes: the words tell the first */
    REFUSAL_NO_BOT,     /* there is no bot of that name */
    REFUSAL_NO_WORK,    /* there is no work of that number */
    REFUSAL_NO_LOG, /* there is no such match, or it is not decided, or nothing is written yet */
    REFUSAL_NAME_TAKEN,    /* the bot of that name belongs to somebody else */
    REFUSAL_TOO_LATE,      /* the work has ended */
    REFUSAL_TOO_LARGE,     /* what is sent is larger than the limit */
    REFUSAL_TOO_MANY,      /* connections, bots or works of this user */
    REFUSAL_FRESH_DEALS,   /* bots that play from elsewhere need `seatings=single` */
    REFUSAL_CANNOT_RUN,    /* the bot's command cannot be run */
    REFUSAL_NOT_CONNECTED, /* the bot plays from elsewhere, and that is switched off */
    REFUSAL_ENDING,        /* the daemon is about to end */
    REFUSAL_DISK,          /* it could not be written */
    REFUSAL_CODE_COUNT,
};

#define REFUSAL_WORDS_MAX 1000

struct refusal {
    enum refusal_code code;
    char words[REFUSAL_WORDS_MAX]; /* one sentence, printable */
};

/* "unreadable", "too_long", …, and whose fault each is. */
const char *refusal_name(enum refusal_code code);
enum refusal_class refusal_class(enum refusal_code code);
const char *refusal_class_name(enum refusal_class class);

/* Fills it in. Returns -1, so that a caller can `return refuse(…)`. */
int refuse(struct refusal *refusal, enum refusal_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
