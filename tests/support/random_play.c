/* Random matches.
 *
 * Uniform play reaches the corners of the rules too rarely: nobody collects three of a kind by
 * accident, and with sixteen ways to knock and one to pass everybody always knocks. Hence players
 * with a temper, decks of few values, and tables that are made up. */

#include "support/random_play.h"

#include <string.h>

#define PERCENT 100

static bool is_lucky(struct dice *dice, unsigned percent)
{
    return dice_below(dice, PERCENT) < percent;
}

/* Players. */

struct temper random_temper(struct dice *dice)
{
    struct temper temper = {0};

    if (is_lucky(dice, 25))
        return temper;
    temper.knocks = dice_below(dice, PERCENT + 1);
    temper.accepts = dice_below(dice, PERCENT + 1);
    temper.clears = dice_below(dice, PERCENT + 1);
    temper.collects = dice_below(dice, PERCENT + 1);
    return temper;
}

/* How many cards like `card` lie open in the same row or column, the cell itself left out. */
static unsigned likes(const struct table *table, unsigned seat, unsigned cell, int8_t card)
{
    uint16_t up = table_up(table, seat) & (uint16_t)~CELL_BIT(cell);
    unsigned count = 0;

    for (uint16_t rest = up; rest != 0; rest &= (uint16_t)(rest - 1)) {
        unsigned other = cell_of(rest);

        if (other % CELL_COLUMNS == cell % CELL_COLUMNS ||
            other / CELL_COLUMNS == cell / CELL_COLUMNS)
            count += table_card(table, seat, other) == card;
    }
    return count;
}

/* The answer that puts `card` next to the most cards like it, if there is any. */
static struct answer collect(const struct table *table, unsigned seat, const struct legal *legal,
                             struct dice *dice)
{
    int8_t card = table->question == QUESTION_PUT ? table->taken : table->drawn;
    struct answer best = simulate_choose(dice, legal);
    unsigned most = 0;

    for (unsigned i = 0; i < legal->count; i++) {
        struct answer answer = legal->list[i];
        unsigned like;

        if (answer.verb != VERB_KEEP && answer.verb != VERB_PLACE && answer.verb != VERB_PUT)
            continue;
        like = 2 * likes(table, seat, cell_of(answer.cells), card) + dice_below(dice, 2);
        if (like < 2 || like <= most)
            continue;
        most = like;
        best = answer;
    }
    return best;
}

/* One of those answers in the list that have, or do not have, this verb. */
static struct answer choose_verb(const struct legal *legal, enum verb verb, bool has_verb,
                                 struct dice *dice)
{
    struct legal some = {0};

    for (unsigned i = 0; i < legal->count; i++) {
        if ((legal->list[i].verb == verb) == has_verb)
            some.list[some.count++] = legal->list[i];
    }
    return simulate_choose(dice, some.count > 0 ? &some : legal);
}

struct answer random_answer(const struct table *table, unsigned seat, const struct legal *legal,
                            const struct temper *temper, struct dice *dice)
{
    switch (table_question(table)) {
    case QUESTION_KNOCK:
        if (temper->knocks > 0)
            return choose_verb(legal, VERB_KNOCK, is_lucky(dice, temper->knocks), dice);
        break;
    case QUESTION_ANSWER:
        if (is_lucky(dice, temper->accepts))
            return choose_verb(legal, VERB_ACCEPT, true, dice);
        break;
    case QUESTION_CLEAR:
        if (is_lucky(dice, temper->clears))
            return choose_verb(legal, VERB_CLEAR, true, dice);
        break;
    case QUESTION_MOVE:
    case QUESTION_PLACE:
    case QUESTION_PUT:
        if (is_lucky(dice, temper->collects))
            return collect(table, seat, legal, dice);
        break;
    default:
        break;
    }
    return simulate_choose(dice, legal);
}

unsigned random_asked(const struct table *table, struct dice *dice)
{
    unsigned seat = dice_below(dice, table->seats);

    while (!(table_asked(table) >> seat & 1))
        seat = table_left(table, seat);
    return seat;
}

/* Rules. */

/* How many cards to play with: just enough, plenty, or as many as there can be. */
static unsigned deck_size(struct dice *dice, unsigned seats, unsigned most)
{
    unsigned least = 12 * seats + 1;

    if (is_lucky(dice, 10))
        return most;
    return least + dice_below(dice, is_lucky(dice, 50) ? 6 : 60);
}

/* A deck of a few values. Where two of each value are taken out again there are two more. */
static void random_deck(struct rules *rules, struct dice *dice, unsigned seats)
{
    unsigned kinds = 1 + dice_below(dice, 1 + dice_below(dice, CARD_VALUES));
    unsigned first = dice_below(dice, CARD_VALUES);
    unsigned extra = seats > 3 ? 0 : 2;
    unsigned cards = deck_size(dice, seats, RULES_DECK_MAX - kinds * extra);

    memset(rules->deck, 0, sizeof rules->deck);
    for (unsigned i = 0; i < kinds; i++)
        rules->deck[(first + i) % CARD_VALUES] = (uint8_t)extra;
    while (cards-- > 0)
        rules->deck[(first + dice_below(dice, kinds)) % CARD_VALUES]++;
}

static void random_words(struct rules *rules, struct dice *dice)
{
    char buffer[200];
    struct text problem;

    text_start(&problem, buffer, sizeof buffer);
    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);
        unsigned words = 0;

        while (words < ARRAY_LEN(key->words) && key->words[words] != NULL)
            words++;
        if (key->kind == RULES_WORD)
            rules_set(rules, span_of(key->name), span_of(key->words[dice_below(dice, words)]),
                      &problem);
    }
}

struct rules random_rules(struct dice *dice, unsigned seats)
{
    struct rules rules = rules_of_edition((enum rules_edition)dice_below(dice, EDITION_COUNT));

    rules.turn_limit = (uint16_t)(1 + dice_below(dice, 30));
    rules.rounds = (uint8_t)(1 + dice_below(dice, 3));
    if (is_lucky(dice, 60)) {
        random_words(&rules, dice);
        rules.knock_rounds = (uint8_t)(1 + dice_below(dice, 3));
    }
    if (is_lucky(dice, 20))
        random_deck(&rules, dice, seats);
    else if (is_lucky(dice, 20))
        rules.score_limit = (uint16_t)(1 + dice_below(dice, 120));
    return rules;
}

void random_start(struct table *table, struct dice *dice)
{
    unsigned seats = RULES_SEATS_MIN + dice_below(dice, RULES_SEATS_MAX - RULES_SEATS_MIN + 1);
    struct rules rules = random_rules(dice, seats);
    struct shuffler shuffler = simulate_shuffler(dice);

    table_start(table, &rules, seats, dice_below(dice, seats), &shuffler, NULL);
}
