#ifndef REFEREE_WIRE_BOT_LINE_H
#define REFEREE_WIRE_BOT_LINE_H

/* The lines of the protocol: what the referee writes, and what it reads from a bot. Bytes and
 * values only; protocol.md is the description of every line here. Writers add whole lines, each
 * with its line end. */

#include "base/text.h"
#include "game/allegra.h"

#include <stdbool.h>
#include <stdint.h>

#define BOT_LINE_VERSION 1
#define BOT_LINE_REFEREE_MAX 1024 /* bytes of a referee's line, the line end included */
#define BOT_LINE_MAX 256          /* bytes of a bot's line, the line end not included */
#define BOT_LINE_NAME_MAX 32
#define BOT_LINE_SAY_MAX 120
#define BOT_LINE_SAYS_MAX 2 /* before one answer */

/* What a bot asks for in its hello. */
struct bot_line_options {
    bool has_table;  /* the table before each question; on unless switched off */
    bool has_events; /* notices of what happens; on unless switched off */
    bool has_legal;  /* the list of legal answers with each question */
    bool has_reuse;  /* it can play another match afterwards */
};

struct bot_line_hello {
    char name[BOT_LINE_NAME_MAX + 1];
    struct bot_line_options options;
};

/* What a bot learns about its match. Names are borrowed. */
struct bot_line_match {
    const struct allegra_rules *rules;
    const char *variant; /* the name of the rules; "" or NULL if they have none */
    unsigned seats;
    unsigned seat;
    long move_ms;
    long bank_ms;
    const char *clock; /* "fair" or "wall" */
    bool may_ponder;
    uint64_t rng;
    const char *names[ALLEGRA_SEATS_MAX];
};

/* allegra 1 referee=VERSION; `referee` is that version. */
void bot_line_write_greeting(struct text *text, const char *referee);

/* match …, rules …, player … for each seat */
void bot_line_write_match(struct text *text, const struct bot_line_match *match);

/* The event as everybody may see it; a hand card that `event` hides is `?`. Without a line end when
 * `has_end` is false (the log joins events). */
void bot_line_write_event(struct text *text, const struct allegra_event *event, bool has_end);

/* table … and display … for each seat */
void bot_line_write_table(struct text *text, const struct allegra_view *view);

/* legal ANSWER|ANSWER|… */
void bot_line_write_legal(struct text *text, const struct allegra_legal *legal);

/* ask ID WHAT MS … */
void bot_line_write_ask(struct text *text, const struct allegra_view *view, uint64_t id,
                        long limit_ms);

/* said SEAT TEXT */
void bot_line_write_said(struct text *text, unsigned seat, const char *said);

/* dismissed SEAT CODE */
void bot_line_write_dismissed(struct text *text, unsigned seat, const char *code);

/* result PLACE… */
void bot_line_write_result(struct text *text, const uint8_t *places, unsigned seats);

/* bye */
void bot_line_write_bye(struct text *text);

/* What a line of a bot is. */
enum bot_line_kind {
    BOT_LINE_UNREADABLE, /* no line of the protocol */
    BOT_LINE_SAY,        /* say TEXT */
    BOT_LINE_REPLY,      /* ID ANSWER */
};

/* A bot's line after its hello, taken apart. */
struct bot_line_reply {
    enum bot_line_kind kind;
    uint64_t id;    /* of BOT_LINE_REPLY */
    bool is_answer; /* of BOT_LINE_REPLY: `answer` could be read */
    struct allegra_answer answer;
    struct span text; /* of BOT_LINE_SAY; lent from the line */
};

/* Reads a bot's line, its line end already gone. A reply whose ID is right but whose rest is no
 * answer is BOT_LINE_REPLY without `is_answer`. */
struct bot_line_reply bot_line_read_reply(struct span line);

/* Reads a bot's first line. Returns 0; or -1 with one sentence in `problem`. */
int bot_line_read_hello(struct span line, struct bot_line_hello *hello, struct text *problem);

/* Whether all bytes are printable ASCII. */
bool bot_line_is_plain(struct span line);

#endif
