#ifndef REFEREE_GAME_RULES_H
#define REFEREE_GAME_RULES_H

/* The rule keys, for the referee. One table has everything about a key: its name, its meaning,
 * the values it takes and the value of each edition. Parsing, printing, help and tests read that
 * table. */

#include "base/text.h"
#include "game/allegra.h"

enum rules_key_kind {
    RULES_KEY_NAME,   /* one of `names` */
    RULES_KEY_NUMBER, /* from `least` to `most` */
    RULES_KEY_DECK,   /* 13 counts, from the lowest card to the highest */
};

struct rules_key {
    const char *name;
    const char *meaning;
    enum rules_key_kind kind;
    uint8_t offset;       /* of its member in struct allegra_rules */
    bool is_wide;         /* the member has 16 bits */
    const char *names[4]; /* of RULES_KEY_NAME, in the order of the enum; NULL ends it */
    uint16_t least;       /* of RULES_KEY_NUMBER */
    uint16_t most;
    bool takes_zero; /* of RULES_KEY_NUMBER: 0 is allowed, and means "none" */
    uint16_t by_edition[ALLEGRA_EDITION_COUNT]; /* not of RULES_KEY_DECK: all have the same deck */
};

/* All keys, in the order in which they are shown. */
size_t rules_key_count(void);
const struct rules_key *rules_key_at(size_t index);

/* Sets all keys to those of the edition or bundled variant with that name. Returns 0; or -1 with
 * one sentence in `problem`, which names the nearest one. */
int rules_read_edition(struct span name, struct allegra_rules *rules, struct text *problem);

/* Sets one key. Returns 0; or -1 with one sentence in `problem`, which names the nearest key or the
 * allowed values, and leaves `rules` unchanged. */
int rules_set(struct allegra_rules *rules, struct span name, struct span value,
              struct text *problem);

/* The same from "key=value". */
int rules_set_pair(struct allegra_rules *rules, struct span pair, struct text *problem);

/* Checks that every key has a value it can have, and that the deck is large enough for the seats.
 * Returns 0, or -1 with one sentence in `problem`. */
int rules_check(const struct allegra_rules *rules, unsigned seats, struct text *problem);

/* The value of a key that is not a deck: its number, or the index of its name. */
unsigned rules_number(const struct allegra_rules *rules, const struct rules_key *key);

/* Adds the value that `rules` has for `key` as text. */
void rules_write_value(struct text *text, const struct allegra_rules *rules,
                       const struct rules_key *key);

/* Adds the values that `key` takes: "must, may" or "1..9". */
void rules_write_allowed(struct text *text, const struct rules_key *key);

/* Whether two sets of rules have the same value for `key`. */
bool rules_same_value(const struct allegra_rules *one, const struct allegra_rules *other,
                      const struct rules_key *key);

/* Whether two sets of rules have the same edition and the same value for every key. */
bool rules_are_same(const struct allegra_rules *one, const struct allegra_rules *other);

/* Adds the keys that differ from the edition of `rules`, each as "key=value" with `before` before
 * it; RULES_CHANGES_MAX bytes are enough if `before` has 8 or fewer. */
#define RULES_CHANGES_MAX 1200

void rules_write_changes(struct text *text, const struct allegra_rules *rules, const char *before);

/* A bundled variant: what a sheet proposes besides its own rules. */
struct rules_variant {
    const char *name;
    enum allegra_edition edition;
    const char *change; /* "key=value" */
    const char *meaning;
};

#define RULES_VARIANT_COUNT 14
#define RULES_VARIANT_NAME_MAX 32
#define RULES_VARIANT_NAME_TAKES                                                                   \
    "1 to 32 letters, digits, \".\", \"-\" and \"_\", the first a letter or digit"

const struct rules_variant *rules_variant_at(size_t index);
const struct rules_variant *rules_variant_find(struct span name); /* or NULL */
struct allegra_rules rules_variant_rules(const struct rules_variant *variant);

/* Checks that a variant with these rules may have that name: an edition must not have it, and a
 * bundled variant only with the same rules. Returns 0, or -1 with one sentence in `problem`. */
int rules_variant_check_name(struct span name, const struct allegra_rules *rules,
                             struct text *problem);

#endif
