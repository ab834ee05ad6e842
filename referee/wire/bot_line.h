#ifndef REFEREE_WIRE_LINE_H
#define REFEREE_WIRE_LINE_H

/* The lines of the protocol: what the referee writes, and what it reads from a bot. Bytes and values
 * only; protocol.md is the description of every line here. Writers add whole lines, each with its
 * line end. */

#include "base/text.h"
#include "game/event.h"
#include "game/legal.h"
#include "game/view.h"

#include <stdbool.h>
#include <stdint.h>

#define LINE_VERSION 1
#define LINE_REFEREE_MAX 1024 /* bytes of a referee's line, the line end included */
#define LINE_BOT_MAX 256      /* bytes of a bot's line, the line end not included */
#define LINE_NAME_MAX 32
#define LINE_SAY_MAX 120
#define LINE_SAYS_MAX 2 /* before one answer */

/* What a bot asks for in its hello. */
struct line_wishes {
    bool has_table;  /* the table before each question; on unless switched off */
    bool has_events; /* notices of what happens; on unless switched off */
    bool has_legal;  /* the list of legal answers with each question */
    bool has_reuse;  /* it can play another match afterwards */
};

struct line_hello {
    char name[LINE_NAME_MAX + 1];
    struct line_wishes wishes;
};

/* What a bot is told about its match. Names are lent. */
struct line_match {
    const struct rules *rules;
    unsigned seats;
    unsigned seat;
    long move_ms;
    long bank_ms;
    const char *clock; /* "fair" or "wall" */
    uint64_t rng;
    const char *names[RULES_SEATS_MAX];
};

/* allegra 1 referee=VERSION */
void line_write_greeting(struct text *text);

/* match …, rules …, player … for each seat */
void line_write_match(struct text *text, const struct line_match *match);

/* The event as everybody may see it; a hand card that `event` hides is `?`. Without a line end when
 * `has_end` is false (the log joins events). */
void line_write_event(struct text *text, const struct event *event, bool has_end);

/* table … and display … for each seat */
void line_write_table(struct text *text, const struct view *view);

/* legal ANSWER|ANSWER|… */
void line_write_legal(struct text *text, const struct legal *legal);

/* ask ID WHAT MS … */
void line_write_ask(struct text *text, const struct view *view, uint64_t id, long limit_ms);

/* said SEAT WORDS */
void line_write_said(struct text *text, unsigned seat, const char *words);

/* dismissed SEAT CODE */
void line_write_dismissed(struct text *text, unsigned seat, const char *code);

/* result PLACE… */
void line_write_result(struct text *text, const uint8_t *places, unsigned seats);

/* bye */
void line_write_bye(struct text *text);

/* What a line of a bot is. */
enum line_kind {
    LINE_UNREADABLE, /* no line of the protocol */
    LINE_SAY,        /* say WORDS */
    LINE_REPLY,      /* ID ANSWER */
};

/* A bot's line after its hello, taken apart. */
struct line_reply {
    enum line_kind kind;
    uint64_t id;    /* of LINE_REPLY */
    bool is_answer; /* of LINE_REPLY: `answer` could be read */
    struct answer answer;
    struct span words; /* of LINE_SAY; lent from the line */
};

/* Reads a bot's line, its line end already gone. A reply whose ID is right but whose rest is no
 * answer is LINE_REPLY without `is_answer`. */
struct line_reply line_read_reply(struct span line);

/* Reads a bot's first line. Returns 0; or -1 with one sentence in `problem`. */
int line_read_hello(struct span line, struct line_hello *hello, struct text *problem);

/* Whether all bytes are printable ASCII. */
bool line_is_plain(struct span line);

#endif
