#ifndef REFEREE_GAME_RULES_H
#define REFEREE_GAME_RULES_H

/* The rule keys, and the editions: named sets of their values.
 *
 * One table (rules_keys) knows everything about a key: its name, what it means, which values it
 * takes and what each edition says. Parsing, printing, help and tests all read that table. */

#include "base/text.h"
#include "game/card.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RULES_SEATS_MIN 2
#define RULES_SEATS_MAX 6

/* The most cards that a deck may have: what the table has room for. */
#define RULES_DECK_MAX 200

enum rules_edition {
    EDITION_DE2026,
    EDITION_EN2020,
    EDITION_NL2023,
    EDITION_FR2020,
    EDITION_ES2020,
    EDITION_COUNT,
};

/* The values of the keys whose value is a word. */
enum rules_starter { STARTER_DEALER, STARTER_LEFT };
enum rules_deal_shared { DEAL_SHARED_A, DEAL_SHARED_E };
enum rules_row_match { ROW_MATCH_ADJACENT, ROW_MATCH_ANYWHERE };
enum rules_force { FORCE_MUST, FORCE_MAY };
enum rules_standing { STANDING_CLEAR_STEP, STANDING_TURN_START };
enum rules_reshuffle { RESHUFFLE_KEEP_TOP, RESHUFFLE_END_ROUND };
enum rules_knock_offers { KNOCK_OFFERS_TALK, KNOCK_OFFERS_BINDING };
enum rules_knock_hand { KNOCK_HAND_OPEN, KNOCK_HAND_PRIVATE };
enum rules_knock_clear_scope { KNOCK_CLEAR_SCOPE_ANY, KNOCK_CLEAR_SCOPE_CAUSED };
enum rules_knock_active_clear {
    KNOCK_ACTIVE_CLEAR_SWAP,
    KNOCK_ACTIVE_CLEAR_END,
    KNOCK_ACTIVE_CLEAR_BOTH,
};
enum rules_knock_toss { KNOCK_TOSS_AFTER_CLEAR, KNOCK_TOSS_AT_SWAP };
enum rules_trigger { TRIGGER_ACTIVE, TRIGGER_FIRST };
enum rules_failed_negative { FAILED_NEGATIVE_KEEP, FAILED_NEGATIVE_HALVE };

/* A complete set of rules. A plain value: copy it with `=`. The comments in rules_keys say what
 * each member means; yes/no and on/off keys are 1 and 0. */
struct rules {
    uint8_t edition; /* the one it was made from; keys may have been changed since */
    uint8_t deck[CARD_VALUES];
    uint8_t starter;
    uint8_t deal_shared;
    uint8_t row_match;
    uint8_t clear_row;
    uint8_t clear_column;
    uint8_t clear_chain;
    uint8_t standing;
    uint8_t discard_return;
    uint8_t reshuffle;
    uint8_t knock;
    uint8_t knock_rounds;
    uint8_t knock_offers;
    uint8_t knock_hand;
    uint8_t knock_clear1;
    uint8_t knock_clear_scope;
    uint8_t knock_complete;
    uint8_t knock_active_swap;
    uint8_t knock_active_clear;
    uint8_t knock_toss;
    uint8_t knock_clear2;
    uint8_t trigger;
    uint8_t failed_negative;
    uint8_t rounds;
    uint8_t talk;
    uint16_t turn_limit;
    uint16_t score_limit;
};

enum rules_kind {
    RULES_WORD,   /* one of `words` */
    RULES_NUMBER, /* from `least` to `most` */
    RULES_DECK,   /* 13 counts, from the lowest card to the highest */
};

/* Everything about one key. */
struct rules_key {
    const char *name;
    const char *meaning;
    enum rules_kind kind;
    uint8_t offset;       /* of its member in struct rules */
    bool is_wide;         /* the member has 16 bits */
    const char *words[4]; /* of RULES_WORD, in the order of the enum; NULL ends it */
    uint16_t least;       /* of RULES_NUMBER */
    uint16_t most;
    bool takes_zero;                    /* of RULES_NUMBER: 0 is allowed too, and means "none" */
    uint16_t by_edition[EDITION_COUNT]; /* not of RULES_DECK: all editions have the same deck */
};

/* How many keys there are, and all of them, in the order in which they are shown. */
size_t rules_key_count(void);
const struct rules_key *rules_key_at(size_t index);

/* "de2026" … */
const char *rules_edition_name(enum rules_edition edition);

/* The rules as that edition prints them. */
struct rules rules_of_edition(enum rules_edition edition);

/* Reads the name of an edition. Returns 0; or -1 with one sentence in `problem`, which names the
 * nearest edition. */
int rules_read_edition(struct span name, struct rules *rules, struct text *problem);

/* Sets one key. Returns 0; or -1 with one sentence in `problem`, which names the nearest key or the
 * allowed values, and leaves `rules` alone. */
int rules_set(struct rules *rules, struct span name, struct span value, struct text *problem);

/* The same from "key=value". */
int rules_set_pair(struct rules *rules, struct span pair, struct text *problem);

/* Looks at what no key alone can tell: are there cards enough for that many seats? Returns 0, or
 * -1 with one sentence in `problem`. */
int rules_check(const struct rules *rules, unsigned seats, struct text *problem);

/* How many cards of `card` that many seats play with. */
unsigned rules_cards_of(const struct rules *rules, unsigned seats, int card);

/* The value of a key that is no deck: its number, or the place of its word in the table. */
unsigned rules_number(const struct rules *rules, const struct rules_key *key);

/* Adds the value that `rules` has for `key` as text. */
void rules_write_value(struct text *text, const struct rules *rules, const struct rules_key *key);

/* Adds the values that `key` takes: "must, may" or "1..9". */
void rules_write_allowed(struct text *text, const struct rules_key *key);

/* Whether two sets of rules have the same value for `key`. */
bool rules_same_value(const struct rules *one, const struct rules *other,
                      const struct rules_key *key);

#endif
