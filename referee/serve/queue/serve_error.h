#ifndef REFEREE_SERVE_DENIAL_H
#define REFEREE_SERVE_DENIAL_H

/* Why the daemon does not do what it was asked for: one closed table, which replies, documents and tests
 * share. */

/* Whose fault it is, as replies write it: "yours", "bots", "ours". */
enum denial_class {
    DENIAL_YOURS, /* the request is wrong: as it stands it never succeeds */
    DENIAL_BOTS,  /* the bot that it is about cannot be used */
    DENIAL_OURS,  /* the daemon or its machine cannot do it now: try again later */
    DENIAL_CLASS_COUNT,
};

enum denial_code {
    DENIAL_NONE,
    DENIAL_UNREADABLE, /* the line is not the protocol */
    DENIAL_TOO_LONG,   /* the line has no end within the limit */
    DENIAL_NO_HELLO,   /* the first line must be `hello 1` */
    DENIAL_VERSION,    /* another version of the protocol */
    DENIAL_TOKEN,      /* it is missing, or nobody has it */
    DENIAL_FORBIDDEN,  /* this caller may not do that */
    DENIAL_UNKNOWN,    /* there is no such request */
    DENIAL_VALUE,      /* a word or key is missing, unknown, twice or out of range */
    DENIAL_PLAN,       /* the tournament file has mistakes: the words tell the first */
    DENIAL_NO_BOT,     /* there is no bot of that name */
    DENIAL_NO_WORK,    /* there is no work of that number */
    DENIAL_NO_LOG,     /* there is no such match, or it is not decided, or nothing is written yet */
    DENIAL_NAME_TAKEN, /* the bot of that name belongs to somebody else */
    DENIAL_TOO_LATE,   /* the work has ended */
    DENIAL_TOO_LARGE,  /* what is sent is larger than the limit */
    DENIAL_TOO_MANY,   /* bots or works of this user */
    DENIAL_CANNOT_RUN, /* the bot's command cannot be run */
    DENIAL_NOT_CONNECTED, /* the bot plays from elsewhere, and that is switched off */
    DENIAL_BUSY,          /* too many connections or uploads at once */
    DENIAL_ENDING,        /* the daemon is about to end */
    DENIAL_DISK,          /* it could not be written */
    DENIAL_CODE_COUNT,
};

#define DENIAL_WORDS_MAX 1000

struct denial {
    enum denial_code code;
    char words[DENIAL_WORDS_MAX]; /* one sentence, printable */
};

/* "unreadable", "too_long", …, and whose fault each is. */
const char *denial_name(enum denial_code code);
enum denial_class denial_class(enum denial_code code);
const char *denial_class_name(enum denial_class class);

/* Fills it in. Returns -1, so that a caller can `return deny(…)`. */
int deny(struct denial *denial, enum denial_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
