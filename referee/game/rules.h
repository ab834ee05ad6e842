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

#define ALLEGRA_SEATS_MIN 2
#define ALLEGRA_SEATS_MAX 6

/* The most cards that a deck may have: what the table has room for. */
#define ALLEGRA_DECK_MAX 200

enum allegra_rules_edition {
    ALLEGRA_EDITION_DE2026,
    ALLEGRA_EDITION_EN2020,
    ALLEGRA_EDITION_NL2023,
    ALLEGRA_EDITION_FR2020,
    ALLEGRA_EDITION_ES2020,
    ALLEGRA_EDITION_COUNT,
};

/* The values of the keys whose value is a word. */
enum allegra_rules_starter { ALLEGRA_STARTER_DEALER, ALLEGRA_STARTER_LEFT };
enum allegra_rules_deal_shared { ALLEGRA_DEAL_SHARED_A, ALLEGRA_DEAL_SHARED_E };
enum allegra_rules_row_match { ALLEGRA_ROW_MATCH_ADJACENT, ALLEGRA_ROW_MATCH_ANYWHERE };
enum allegra_rules_force { ALLEGRA_FORCE_MUST, ALLEGRA_FORCE_MAY };
enum allegra_rules_standing { ALLEGRA_STANDING_CLEAR_STEP, ALLEGRA_STANDING_TURN_START };
enum allegra_rules_reshuffle { ALLEGRA_RESHUFFLE_KEEP_TOP, ALLEGRA_RESHUFFLE_END_ROUND };
enum allegra_rules_knock_offers { ALLEGRA_KNOCK_OFFERS_TALK, ALLEGRA_KNOCK_OFFERS_BINDING };
enum allegra_rules_knock_hand { ALLEGRA_KNOCK_HAND_OPEN, ALLEGRA_KNOCK_HAND_PRIVATE };
enum allegra_rules_knock_clear_scope {
    ALLEGRA_KNOCK_CLEAR_SCOPE_ANY,
    ALLEGRA_KNOCK_CLEAR_SCOPE_CAUSED
};
enum allegra_rules_knock_active_clear {
    ALLEGRA_KNOCK_ACTIVE_CLEAR_SWAP,
    ALLEGRA_KNOCK_ACTIVE_CLEAR_END,
    ALLEGRA_KNOCK_ACTIVE_CLEAR_BOTH,
};
enum allegra_rules_knock_toss { ALLEGRA_KNOCK_TOSS_AFTER_CLEAR, ALLEGRA_KNOCK_TOSS_AT_SWAP };
enum allegra_rules_trigger { ALLEGRA_TRIGGER_ACTIVE, ALLEGRA_TRIGGER_FIRST };
enum allegra_rules_failed_negative { ALLEGRA_FAILED_NEGATIVE_KEEP, ALLEGRA_FAILED_NEGATIVE_HALVE };

/* A complete set of rules. A plain value: copy it with `=`. The comments in rules_keys say what
 * each member means; yes/no and on/off keys are 1 and 0. */
struct allegra_rules {
    uint8_t edition; /* the one it was made from; keys may have been changed since */
    uint8_t deck[ALLEGRA_CARD_VALUES];
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

enum allegra_rules_kind {
    ALLEGRA_RULES_WORD,   /* one of `words` */
    ALLEGRA_RULES_NUMBER, /* from `least` to `most` */
    ALLEGRA_RULES_DECK,   /* 13 counts, from the lowest card to the highest */
};

/* Everything about one key. */
struct allegra_rules_key {
    const char *name;
    const char *meaning;
    enum allegra_rules_kind kind;
    uint8_t offset;       /* of its member in struct allegra_rules */
    bool is_wide;         /* the member has 16 bits */
    const char *words[4]; /* of ALLEGRA_RULES_WORD, in the order of the enum; NULL ends it */
    uint16_t least;       /* of ALLEGRA_RULES_NUMBER */
    uint16_t most;
    bool takes_zero; /* of ALLEGRA_RULES_NUMBER: 0 is allowed too, and means "none" */
    uint16_t by_edition
        [ALLEGRA_EDITION_COUNT]; /* not of ALLEGRA_RULES_DECK: all editions have the same deck */
};

/* How many keys there are, and all of them, in the order in which they are shown. */
size_t allegra_rules_key_count(void);
const struct allegra_rules_key *allegra_rules_key_at(size_t index);

/* "de2026" … */
const char *allegra_rules_edition_name(enum allegra_rules_edition edition);

/* The rules as that edition prints them. */
struct allegra_rules allegra_rules_of_edition(enum allegra_rules_edition edition);

/* Reads the name of an edition. Returns 0; or -1 with one sentence in `problem`, which names the
 * nearest edition. */
int rules_read_edition(struct span name, struct allegra_rules *rules, struct text *problem);

/* Sets one key. Returns 0; or -1 with one sentence in `problem`, which names the nearest key or the
 * allowed values, and leaves `rules` alone. */
int rules_set(struct allegra_rules *rules, struct span name, struct span value,
              struct text *problem);

/* The same from "key=value". */
int rules_set_pair(struct allegra_rules *rules, struct span pair, struct text *problem);

/* Looks at what no key alone can tell: are there cards enough for that many seats? Returns 0, or
 * -1 with one sentence in `problem`. */
int rules_check(const struct allegra_rules *rules, unsigned seats, struct text *problem);

/* How many cards of `card` that many seats play with. */
unsigned allegra_rules_cards_of(const struct allegra_rules *rules, unsigned seats, int card);

/* The value of a key that is no deck: its number, or the place of its word in the table. */
unsigned allegra_rules_number(const struct allegra_rules *rules,
                              const struct allegra_rules_key *key);

/* Adds the value that `rules` has for `key` as text. */
void rules_write_value(struct text *text, const struct allegra_rules *rules,
                       const struct allegra_rules_key *key);

/* Adds the values that `key` takes: "must, may" or "1..9". */
void rules_write_allowed(struct text *text, const struct allegra_rules_key *key);

/* Whether two sets of rules have the same value for `key`. */
bool allegra_rules_same_value(const struct allegra_rules *one, const struct allegra_rules *other,
                              const struct allegra_rules_key *key);

#endif
