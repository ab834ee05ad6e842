#ifndef REFEREE_MATCH_MATCH_H
#define REFEREE_MATCH_MATCH_H

/* One match from the deal to the result. It knows the rules and the protocol, but no process and no
 * clock: it asks seats through the functions it was given, and is told how they answered. */

#include "base/deal_random.h"
#include "base/histogram.h"
#include "bot/bot.h"
#include "game/event.h"
#include "game/table.h"
#include "wire/bot_line.h"
#include "wire/log_record.h"

#include <stdbool.h>
#include <stdint.h>

struct match;

/* Who plays, by which rules, with which cards. Texts are lent for the life of the match. */
struct match_setup {
    struct allegra_rules rules;
    unsigned seats;
    unsigned dealer;
    uint8_t seed[DEAL_RANDOM_SEED_BYTES];
    bool is_guessable;
    enum clock_rule clock;
    long start_ms;
    long move_ms;
    long bank_ms;
    const char *sandbox;
    const char *enforced;                 /* what that means here, words; "" or NULL if nothing */
    const char *names[ALLEGRA_SEATS_MAX]; /* for tables and logs, chosen by the organiser */
    const char *commands[ALLEGRA_SEATS_MAX];
    const char *hashes[ALLEGRA_SEATS_MAX];
    const char *branch_of;   /* of a match that goes on from another one's log; else NULL */
    unsigned long branch_at; /* so many decisions are given, not asked */
    bool keeps_bots;         /* a bot that can stay (`reuse`) is not told `bye` */
    /* Of a bot that stayed: it is not greeted again, and its questions count on. */
    bool is_kept[ALLEGRA_SEATS_MAX];
    uint64_t asked_before[ALLEGRA_SEATS_MAX];
};

/* How a seat answered a question. Lent. */
struct match_reply {
    enum bot_outcome outcome;
    struct allegra_answer answer; /* of BOT_ANSWERED: legal */
    unsigned say_count;
    const char *says[BOT_LINE_SAYS_MAX];
    struct bot_time time;
    const char *line;
    const char *words;
    const char *ending;
    const char *stderr_tail;
};

/* What a match needs from whoever hosts it. None of these may call back into the match. */
struct match_ports {
    /* Bytes for the bot of a seat, to go out with its next question at the latest. */
    void (*tell)(void *context, unsigned seat, const char *bytes, size_t length);
    /* The bytes told so far end in a question: match_told() is to be called once for it. */
    void (*ask)(void *context, unsigned seat, int64_t limit_us);
    /* The bot of a seat is out; the seat is not asked any more. */
    void (*dismiss)(void *context, unsigned seat);
    /* The answer of a seat to a decision that is given; it must be legal. Returns false if it is to
     * come by match_told() instead. Needed only with `branch_at`. */
    bool (*given)(void *context, unsigned seat, struct allegra_answer *answer);
    /* A record for the log. */
    void (*log)(void *context, const char *record, size_t length);
    /* Something happened at the table; for people who watch. May be NULL. */
    void (*show)(void *context, const struct match *match, const struct allegra_events *events);
    /* A bot was dismissed; for people who watch. May be NULL. */
    void (*show_fault)(void *context, const struct match *match, unsigned seat,
                       const struct match_reply *reply);
    /* Stop before each decision that nobody has to be waited for, until match_proceed(). */
    bool is_stepwise;
    void *context;
};

/* Sets up a match. `setup` and `ports` are copied. */
struct match *match_new(const struct match_setup *setup, const struct match_ports *ports);
void match_free(struct match *match);

/* A seat said hello (`hello` is lent), or failed to: then `reply` says how. To be called once for
 * each seat; with the last one the match begins. */
void match_hello(struct match *match, unsigned seat, const struct bot_line_hello *hello,
                 const struct match_reply *reply);

/* Whether the rules accept an answer of that seat now. */
enum allegra_refusal match_judge(const struct match *match, unsigned seat,
                                 struct allegra_answer answer);

/* The id that the open question of a seat must be answered with. */
uint64_t match_id(const struct match *match, unsigned seat);

/* Whether the answer of a seat is still to come, and how much time it has for it in all. */
bool match_is_waiting(const struct match *match, unsigned seat);
int64_t match_limit_us(const struct match *match, unsigned seat);

/* A question that was asked has ended. May ask the next ones before it returns. */
void match_told(struct match *match, unsigned seat, const struct match_reply *reply);

/* With `is_stepwise`: whether the next decision needs no answer, and going on with it. */
bool match_can_proceed(const struct match *match);
void match_proceed(struct match *match);

/* The result is final: nothing is asked any more. */
bool match_is_over(const struct match *match);

/* What is there to look at. */
const struct allegra_table *match_table(const struct match *match);
const struct match_setup *match_setup_of(const struct match *match);
unsigned long match_decisions(const struct match *match); /* a bidding round is one */
unsigned long match_answers(const struct match *match);   /* each bid is one */

/* After the end: the place of each seat, 1 for the best; equal ones share the better place. */
const uint8_t *match_places(const struct match *match);

/* What the bot of a seat asked for in its hello. */
struct bot_line_options match_options(const struct match *match, unsigned seat);

/* Why the bot of a seat was dismissed; BOT_ANSWERED if it was not. */
enum bot_outcome match_fault(const struct match *match, unsigned seat);

/* The total time charged to a seat, and the longest of its answers. */
int64_t match_charged_us(const struct match *match, unsigned seat);
int64_t match_slowest_us(const struct match *match, unsigned seat);

/* The times charged for its answers. */
const struct histogram *match_times(const struct match *match, unsigned seat);

/* Whether the bot of a seat is to stay for another match: it can, it may, and it was not dismissed. */
bool match_keeps(const struct match *match, unsigned seat);

#endif
