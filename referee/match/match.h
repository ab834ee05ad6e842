#ifndef REFEREE_MATCH_MATCH_H
#define REFEREE_MATCH_MATCH_H

/* One match from the deal to the result. It knows the rules and the protocol, but no process and no
 * clock: it asks seats through the functions it was given, and gets their lines and faults. */

#include "base/deal_random.h"
#include "base/histogram.h"
#include "bot/bot.h"
#include "game/allegra.h"
#include "match/seat_reply.h"
#include "value/luck.h"
#include "wire/bot_line.h"
#include "wire/log_record.h"

#include <stdbool.h>
#include <stdint.h>

struct match;

/* Who plays, by which rules, with which cards. Texts are lent for the life of the match. */
struct match_setup {
    struct allegra_rules rules;
    const char *variant; /* the name of the rules; "" or NULL if they have none */
    const char *machine; /* for the log, with the next two, as in its header */
    long speed;
    long reference;
    unsigned seats;
    unsigned dealer;
    uint8_t seed[DEAL_RANDOM_SEED_BYTES];
    /* Of a match that is played again without its seed: what deals instead, and what the seed was
     * committed to. Then the bytes for the bots are not those of the first time. */
    const struct allegra_shuffler *shuffler;
    const char *commitment;
    bool is_guessable;
    enum clock_rule clock;
    bool may_ponder;    /* bots may think while they are not asked */
    bool measures_luck; /* see match_luck() */
    long start_ms;
    long move_ms;
    long bank_ms;
    unsigned cores;      /* that a bot can use; 0: one */
    const char *referee; /* the version that the bots are told; NULL: this one */
    unsigned autopilot;  /* its version; 0: the current one */
    const char *sandbox;
    const char *enforced; /* the parts of the sandbox, separated by spaces; "" or NULL if none */
    const char *names[ALLEGRA_SEATS_MAX]; /* for tables and logs, chosen by the organiser */
    const char *commands[ALLEGRA_SEATS_MAX];
    const char *hashes[ALLEGRA_SEATS_MAX];
    const char *branch_of;   /* of a match that branches off another one's log; else NULL */
    unsigned long branch_at; /* so many decisions are given, not asked */
    /* The answer of a seat to a decision that is given; it must be legal. NULL: it comes by
     * match_answer(). */
    void (*given)(void *context, unsigned seat, struct allegra_answer *answer);
    void *given_context;
    bool keeps_bots; /* a bot that can stay (`reuse`) gets no `bye` */
    /* Of a bot that stayed: it is not greeted again, and its questions count on. */
    bool is_kept[ALLEGRA_SEATS_MAX];
    uint64_t asked_before[ALLEGRA_SEATS_MAX];
};

/* For observers; each may be NULL. */
struct match_observer {
    void (*on_events)(void *context, const struct match *match,
                      const struct allegra_events *events);
    /* The bot of a seat was dismissed. */
    void (*on_fault)(void *context, const struct match *match, unsigned seat,
                     const struct bot_failure *failure);
    /* A seat said something to all, with an answer that counts. */
    void (*on_said)(void *context, const struct match *match, unsigned seat, const char *said);
    void *context;
};

/* What a match needs from its host. None of these may call back into the match. */
struct match_ports {
    /* Bytes for the bot of a seat, to go out with its next question at the latest. */
    void (*tell)(void *context, unsigned seat, const char *bytes, size_t length);
    /* More bytes, which end in a question: it ends by match_take_line(), match_answer() or
     * match_fail(). */
    void (*ask)(void *context, unsigned seat, struct span bytes, int64_t limit_us);
    /* The bot of a seat is out; the seat is not asked any more. */
    void (*dismiss)(void *context, unsigned seat);
    /* A record for the log. */
    void (*log)(void *context, const char *record, size_t length);
    /* Stop before each decision that needs no answer, until match_proceed(). */
    bool is_stepwise;
    void *context;
    struct match_observer observer;
};

/* Sets up a match. `setup` and `ports` are copied. */
struct match *match_new(const struct match_setup *setup, const struct match_ports *ports);
void match_free(struct match *match);

/* A seat said hello; or it failed to, by match_fail(). With the last one the match begins. */
void match_hello(struct match *match, unsigned seat, const struct bot_line_hello *hello);

/* A line of a seat whose question is open. After BOT_MORE_TO_COME the question is still open. After
 * BOT_ACCEPT the answer counts, and the next questions may have been asked already. After
 * BOT_REFUSE nothing has changed: match_fail() must follow. */
enum bot_verdict match_take_line(struct match *match, unsigned seat, struct span line,
                                 const struct bot_time *time, struct bot_refusal *refusal);

/* The same for an answer that does not come as a line. If it is refused, nothing has changed. */
enum allegra_refusal match_answer(struct match *match, unsigned seat,
                                  const struct seat_reply *reply, const struct bot_time *time);

/* The hello or the open question of a seat ended in a fault. May ask the next questions. */
void match_fail(struct match *match, unsigned seat, const struct bot_failure *failure);

/* The id that the open question of a seat must be answered with. */
uint64_t match_id(const struct match *match, unsigned seat);

/* How many bytes its bot was sent so far, with the open question. */
size_t match_sent(const struct match *match, unsigned seat);

/* Whether the answer of a seat is still to come, and how much time it has for it in all. */
bool match_is_waiting(const struct match *match, unsigned seat);
int64_t match_limit_us(const struct match *match, unsigned seat);

/* With `is_stepwise`: whether the next decision needs no answer; and making it. */
bool match_can_proceed(const struct match *match);
void match_proceed(struct match *match);

/* Whether the result is final: nothing is asked any more. */
bool match_is_over(const struct match *match);

const struct allegra_table *match_table(const struct match *match);
const struct match_setup *match_setup_of(const struct match *match);
unsigned long match_decisions(const struct match *match); /* a bidding round is one */
unsigned long match_answers(const struct match *match);   /* each bid is one */

/* After the end: the place of each seat, 1 for the best; equal ones share the better place. */
const uint8_t *match_places(const struct match *match);

/* What the cards have given each seat so far; NULL if the match does not measure it. The same
 * answers to the same cards give the same numbers, in whatever order bids arrive. */
const struct luck *match_luck(const struct match *match);

/* What the bot of a seat asked for in its hello. */
struct bot_line_options match_options(const struct match *match, unsigned seat);

/* Why the bot of a seat was dismissed; BOT_ANSWERED if it was not. */
enum bot_outcome match_fault(const struct match *match, unsigned seat);

/* The total time charged to a seat, and the longest of its answers. */
int64_t match_charged_us(const struct match *match, unsigned seat);
int64_t match_slowest_us(const struct match *match, unsigned seat);

/* The times charged for its answers. */
const struct histogram *match_times(const struct match *match, unsigned seat);

/* Whether the bot of a seat is to stay for another match: it can, it may, and it was not
 * dismissed. */
bool match_keeps(const struct match *match, unsigned seat);

#endif
