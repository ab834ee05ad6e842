/* The table of rule keys, and what reads and writes it.
 *
 * A key is one row. A member of struct allegra_rules is found by its offset and width, so there
 * is no code for any single key here: to add one, add a member, a row, and the code that obeys
 * it. */

#include "game/rules.h"

#include <string.h>

static const char *const edition_names[ALLEGRA_EDITION_COUNT] = {
    [ALLEGRA_EDITION_DE2026] = "de2026", [ALLEGRA_EDITION_EN2020] = "en2020",
    [ALLEGRA_EDITION_NL2023] = "nl2023", [ALLEGRA_EDITION_FR2020] = "fr2020",
    [ALLEGRA_EDITION_ES2020] = "es2020",
};

static const uint8_t standard_deck[ALLEGRA_CARD_VALUES] = {8,  8,  8, 8, 8, 11, 11,
                                                           11, 11, 9, 9, 9, 9};

/* clang-format off */
#define MEMBER(member) .offset = offsetof(struct allegra_rules, member), \
                       .is_wide = sizeof(((struct allegra_rules *)0)->member) == 2
#define NAMES(...) .kind = RULES_KEY_NAME, .names = {__VA_ARGS__}
#define NUMBER(from, to) .kind = RULES_KEY_NUMBER, .least = (from), .most = (to)
/* In the order de2026, en2020, nl2023, fr2020, es2020. */
#define EDITIONS(...) .by_edition = {__VA_ARGS__}

static const struct rules_key keys[] = {
    {"deck", "how many cards of each value, -1 first; 2 or 3 seats play with 2 fewer of each",
     .kind = RULES_KEY_DECK, .offset = offsetof(struct allegra_rules, deck)},
    {"starter", "who begins a round: the dealer or the left neighbour",
     MEMBER(starter), NAMES("dealer", "left"), EDITIONS(0, 1, 1, 1, 1)},
    {"deal_shared", "which shared column a player's own twelve cards fill",
     MEMBER(deal_shared), NAMES("A", "E"), EDITIONS(0, 1, 1, 1, 1)},
    {"row_match", "three equal cards of a row clear if next to each other, or anywhere in it",
     MEMBER(row_match), NAMES("adjacent", "anywhere"), EDITIONS(0, 0, 0, 0, 0)},
    {"clear_row", "a row triple must be cleared, or may be refused",
     MEMBER(clear_row), NAMES("must", "may"), EDITIONS(0, 0, 1, 1, 1)},
    {"clear_column", "a column triple must be cleared, or may be refused",
     MEMBER(clear_column), NAMES("must", "may"), EDITIONS(0, 0, 1, 1, 0)},
    {"clear_chain", "a triple that clearing brought about must be cleared, or may be refused",
     MEMBER(clear_chain), NAMES("must", "may"), EDITIONS(0, 0, 1, 0, 1)},
    {"standing",
     "when a triple made by others is cleared: in the next clear step, or before drawing",
     MEMBER(standing), NAMES("clear_step", "turn_start"), EDITIONS(0, 0, 0, 0, 0)},
    {"discard_return", "whether a card taken from the discard pile may be dropped again",
     MEMBER(discard_return), NAMES("no", "yes"), EDITIONS(1, 1, 1, 1, 1)},
    {"reshuffle", "the discard pile becomes the draw pile, or choosing an empty one ends the round",
     MEMBER(reshuffle), NAMES("keep_top", "end_round"), EDITIONS(0, 0, 0, 0, 0)},
    {"turn_limit", "turns for each seat after which a round is ended without a trigger",
     MEMBER(turn_limit), NUMBER(1, 10000), EDITIONS(100, 100, 100, 100, 100)},
    {"knock", "whether opponents may knock for a card from the draw pile",
     MEMBER(knock), NAMES("off", "on"), EDITIONS(1, 1, 1, 1, 1)},
    {"knock_rounds", "how many bidding rounds the active player may hold for one card",
     MEMBER(knock_rounds), NUMBER(1, 9), EDITIONS(1, 1, 1, 1, 1)},
    {"knock_offers", "an offered cell is only talk, or binds the knocker",
     MEMBER(knock_offers), NAMES("talk", "binding"), EDITIONS(0, 0, 0, 0, 0)},
    {"knock_hand", "a down card that the knocker takes up is shown to all, or kept private",
     MEMBER(knock_hand), NAMES("open", "private"), EDITIONS(0, 1, 1, 1, 1)},
    {"knock_clear1", "after placing the card the knocker must clear, or may",
     MEMBER(knock_clear1), NAMES("must", "may"), EDITIONS(0, 0, 1, 1, 0)},
    {"knock_clear_scope", "which triples may be cleared then: any, or those with the new card",
     MEMBER(knock_clear_scope), NAMES("any", "caused"), EDITIONS(0, 0, 1, 1, 0)},
    {"knock_complete", "whether a player without down cards may knock",
     MEMBER(knock_complete), NAMES("no", "yes"), EDITIONS(0, 0, 0, 0, 0)},
    {"knock_active_swap", "the active player must put the taken card into a cell, or may toss it",
     MEMBER(knock_active_swap), NAMES("must", "may"), EDITIONS(0, 0, 1, 0, 0)},
    {"knock_active_clear",
     "when the active player clears in a knock: after the swap, at the end, both",
     MEMBER(knock_active_clear), NAMES("swap", "end", "both"), EDITIONS(0, 1, 1, 1, 1)},
    {"knock_toss", "when the replaced card is discarded: after the last clear, or at the swap",
     MEMBER(knock_toss), NAMES("after_clear", "at_swap"), EDITIONS(0, 0, 1, 1, 0)},
    {"knock_clear2", "whether the knocker clears again after putting the hand card back",
     MEMBER(knock_clear2), NAMES("off", "on"), EDITIONS(1, 0, 0, 0, 0)},
    {"trigger", "of two that complete in one turn: the active player triggers, or the first",
     MEMBER(trigger), NAMES("active", "first"), EDITIONS(0, 1, 1, 1, 1)},
    {"failed_negative", "a negative score of a failed trigger is kept, or halved",
     MEMBER(failed_negative), NAMES("keep", "halve"), EDITIONS(0, 1, 1, 1, 1)},
    {"rounds", "rounds in a match, if there is no score limit",
     MEMBER(rounds), NUMBER(1, 100), EDITIONS(1, 3, 3, 3, 3)},
    {"score_limit", "the match ends after the round in which a total reaches it (0: no limit)",
     MEMBER(score_limit), NUMBER(1, 1000), .takes_zero = true, EDITIONS(0, 0, 0, 0, 0)},
    {"talk", "whether bots may send texts to each other",
     MEMBER(talk), NAMES("off", "on"), EDITIONS(1, 1, 1, 1, 1)},
};
#undef MEMBER
#undef NAMES
#undef NUMBER
#undef EDITIONS
/* clang-format on */

size_t rules_key_count(void)
{
    return ARRAY_LEN(keys);
}

const struct rules_key *rules_key_at(size_t index)
{
    return &keys[index];
}

const char *allegra_edition_name(enum allegra_edition edition)
{
    return (unsigned)edition < ALLEGRA_EDITION_COUNT ? edition_names[edition] : "unknown";
}

unsigned rules_number(const struct allegra_rules *rules, const struct rules_key *key)
{
    const uint8_t *member = (const uint8_t *)rules + key->offset;
    uint16_t wide;

    if (!key->is_wide)
        return *member;
    memcpy(&wide, member, sizeof wide);
    return wide;
}

static void set_value(struct allegra_rules *rules, const struct rules_key *key, unsigned value)
{
    uint8_t *member = (uint8_t *)rules + key->offset;
    uint16_t wide = (uint16_t)value;

    if (key->is_wide)
        memcpy(member, &wide, sizeof wide);
    else
        *member = (uint8_t)value;
}

struct allegra_rules allegra_rules_of_edition(enum allegra_edition edition)
{
    struct allegra_rules rules = {.edition = (uint8_t)edition};

    if ((unsigned)edition >= ALLEGRA_EDITION_COUNT)
        return (struct allegra_rules){0};
    memcpy(rules.deck, standard_deck, sizeof rules.deck);
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (keys[i].kind != RULES_KEY_DECK)
            set_value(&rules, &keys[i], keys[i].by_edition[edition]);
    }
    return rules;
}

static void add_nearest(struct text *problem, struct span word, const char *const *names,
                        size_t count)
{
    const char *nearest = text_nearest(word, names, count);

    if (nearest == NULL)
        return;
    text_add(problem, "; did you mean \"");
    text_add(problem, nearest);
    text_add(problem, "\"?");
}

/* Names the nearest edition or variant; if none is near, the editions. */
static void add_editions(struct text *problem, struct span name)
{
    const char *names[ALLEGRA_EDITION_COUNT + RULES_VARIANT_COUNT];
    size_t count = 0;

    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++)
        names[count++] = edition_names[i];
    for (unsigned i = 0; i < RULES_VARIANT_COUNT; i++)
        names[count++] = rules_variant_at(i)->name;
    if (text_nearest(name, names, count) != NULL) {
        add_nearest(problem, name, names, count);
        return;
    }
    text_add(problem, "; there are");
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++) {
        text_add_char(problem, ' ');
        text_add(problem, edition_names[i]);
    }
    text_add(problem, " and variants such as ");
    text_add(problem, rules_variant_at(0)->name);
}

int rules_read_edition(struct span name, struct allegra_rules *rules, struct text *problem)
{
    const struct rules_variant *variant = rules_variant_find(name);

    if (variant != NULL) {
        *rules = rules_variant_rules(variant);
        return 0;
    }
    for (unsigned i = 0; i < ALLEGRA_EDITION_COUNT; i++) {
        if (span_is(name, edition_names[i])) {
            *rules = allegra_rules_of_edition((enum allegra_edition)i);
            return 0;
        }
    }
    text_add(problem, "there is no edition ");
    text_add_quoted(problem, name);
    add_editions(problem, name);
    return -1;
}

void rules_write_allowed(struct text *text, const struct rules_key *key)
{
    switch (key->kind) {
    case RULES_KEY_NAME:
        for (unsigned i = 0; i < ARRAY_LEN(key->names) && key->names[i] != NULL; i++) {
            text_add(text, i > 0 ? ", " : "");
            text_add(text, key->names[i]);
        }
        break;
    case RULES_KEY_NUMBER:
        text_add(text, key->takes_zero ? "0 or " : "");
        text_add_number(text, key->least);
        text_add(text, "..");
        text_add_number(text, key->most);
        break;
    case RULES_KEY_DECK:
        text_add(text, "13 counts with commas, at most ");
        text_add_number(text, ALLEGRA_DECK_MAX);
        text_add(text, " cards");
        break;
    }
}

void rules_write_value(struct text *text, const struct allegra_rules *rules,
                       const struct rules_key *key)
{
    switch (key->kind) {
    case RULES_KEY_NAME:
        text_add(text, key->names[rules_number(rules, key)]);
        break;
    case RULES_KEY_NUMBER:
        text_add_number(text, rules_number(rules, key));
        break;
    case RULES_KEY_DECK:
        for (unsigned i = 0; i < ALLEGRA_CARD_VALUES; i++) {
            text_add(text, i > 0 ? "," : "");
            text_add_number(text, rules->deck[i]);
        }
        break;
    }
}

bool rules_same_value(const struct allegra_rules *one, const struct allegra_rules *other,
                      const struct rules_key *key)
{
    if (key->kind == RULES_KEY_DECK)
        return memcmp(one->deck, other->deck, sizeof one->deck) == 0;
    return rules_number(one, key) == rules_number(other, key);
}

static int read_name(struct span value, const struct rules_key *key, struct allegra_rules *rules)
{
    for (unsigned i = 0; i < ARRAY_LEN(key->names) && key->names[i] != NULL; i++) {
        if (span_is(value, key->names[i])) {
            set_value(rules, key, i);
            return 0;
        }
    }
    return -1;
}

static int read_number(struct span value, const struct rules_key *key, struct allegra_rules *rules)
{
    long number;

    if (span_read_number(value, 0, key->most, &number) != 0)
        return -1;
    if (number < key->least && !(number == 0 && key->takes_zero))
        return -1;
    set_value(rules, key, (unsigned)number);
    return 0;
}

static int read_deck(struct span value, struct allegra_rules *rules)
{
    uint8_t deck[ALLEGRA_CARD_VALUES];
    long cards = 0;

    for (unsigned i = 0; i < ALLEGRA_CARD_VALUES; i++) {
        long count;

        if (value.start == NULL ||
            span_read_number(span_cut(&value, ','), 0, ALLEGRA_DECK_MAX, &count) != 0)
            return -1;
        deck[i] = (uint8_t)count;
        cards += count;
    }
    if (value.start != NULL || cards > ALLEGRA_DECK_MAX)
        return -1;
    memcpy(rules->deck, deck, sizeof deck);
    return 0;
}

static const struct rules_key *find_key(struct span name, struct text *problem)
{
    const char *names[ARRAY_LEN(keys)];

    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        names[i] = keys[i].name;
        if (span_is(name, names[i]))
            return &keys[i];
    }
    text_add(problem, "there is no rule key ");
    text_add_quoted(problem, name);
    add_nearest(problem, name, names, ARRAY_LEN(names));
    return NULL;
}

static size_t name_count(const struct rules_key *key)
{
    size_t count = 0;

    while (count < ARRAY_LEN(key->names) && key->names[count] != NULL)
        count++;
    return count;
}

int rules_set(struct allegra_rules *rules, struct span name, struct span value,
              struct text *problem)
{
    const struct rules_key *key = find_key(name, problem);
    int result = -1;

    if (key == NULL)
        return -1;
    switch (key->kind) {
    case RULES_KEY_NAME:
        result = read_name(value, key, rules);
        break;
    case RULES_KEY_NUMBER:
        result = read_number(value, key, rules);
        break;
    case RULES_KEY_DECK:
        result = read_deck(value, rules);
        break;
    }
    if (result != 0) {
        text_add(problem, key->name);
        text_add(problem, " cannot be ");
        text_add_quoted(problem, value);
        text_add(problem, ": it takes ");
        rules_write_allowed(problem, key);
        if (key->kind == RULES_KEY_NAME)
            add_nearest(problem, value, key->names, name_count(key));
    }
    return result;
}

int rules_set_pair(struct allegra_rules *rules, struct span pair, struct text *problem)
{
    struct span value = pair;
    struct span name = span_cut(&value, '=');

    if (value.start == NULL) {
        text_add_quoted(problem, pair);
        text_add(problem, " is not of the form key=value");
        return -1;
    }
    return rules_set(rules, name, value, problem);
}

unsigned allegra_rules_cards_of(const struct allegra_rules *rules, unsigned seats, int card)
{
    unsigned count;

    if (card < ALLEGRA_CARD_MIN || card > ALLEGRA_CARD_MAX)
        return 0;
    count = rules->deck[card - ALLEGRA_CARD_MIN];
    if (seats > 3)
        return count;
    return count > 2 ? count - 2 : 0;
}

/* Whether a key has one of the values that it takes. */
static bool is_allowed(const struct allegra_rules *rules, const struct rules_key *key)
{
    unsigned value = rules_number(rules, key);

    if (key->kind == RULES_KEY_NAME)
        return value < name_count(key);
    return (value >= key->least && value <= key->most) || (value == 0 && key->takes_zero);
}

int rules_check(const struct allegra_rules *rules, unsigned seats, struct text *problem)
{
    unsigned cards = 0;
    unsigned deck = 0;

    if (seats < ALLEGRA_SEATS_MIN || seats > ALLEGRA_SEATS_MAX) {
        text_add(problem, "a match has 2 to 6 seats");
        return -1;
    }
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (keys[i].kind != RULES_KEY_DECK && !is_allowed(rules, &keys[i])) {
            text_add(problem, keys[i].name);
            text_add(problem, " has a value that it does not take");
            return -1;
        }
    }
    for (int card = ALLEGRA_CARD_MIN; card <= ALLEGRA_CARD_MAX; card++) {
        deck += rules->deck[card - ALLEGRA_CARD_MIN];
        cards += allegra_rules_cards_of(rules, seats, card);
    }
    if (deck <= ALLEGRA_DECK_MAX && cards > 12 * seats)
        return 0;
    text_add(problem, "deck has ");
    text_add_number(problem, deck <= ALLEGRA_DECK_MAX ? cards : deck);
    if (deck > ALLEGRA_DECK_MAX) {
        text_add(problem, " cards, but at most ");
        text_add_number(problem, ALLEGRA_DECK_MAX);
        text_add(problem, " are allowed");
        return -1;
    }
    text_add(problem, " cards for ");
    text_add_number(problem, seats);
    text_add(problem, " seats, which need at least ");
    text_add_number(problem, 12 * seats + 1);
    return -1;
}
