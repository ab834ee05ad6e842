/* Random matches.
 *
 * Uniformly random play reaches the corner cases of the rules too rarely: no player collects three
 * of a kind by accident, and with sixteen ways to knock and one to pass, players almost always
 * knock. Hence players with a style, decks of few values, and made-up tables. */

#include "support/random_play.h"
#include "game/rules.h"

#include <string.h>

#define PERCENT 100

static bool is_lucky(struct allegra_dice *dice, unsigned percent)
{
    return allegra_dice_below(dice, PERCENT) < percent;
}

/* Players. */

struct play_style random_play_style(struct allegra_dice *dice)
{
    struct play_style style = {0};

    if (is_lucky(dice, 25))
        return style;
    style.knocks = allegra_dice_below(dice, PERCENT + 1);
    style.accepts = allegra_dice_below(dice, PERCENT + 1);
    style.clears = allegra_dice_below(dice, PERCENT + 1);
    style.collects = allegra_dice_below(dice, PERCENT + 1);
    return style;
}

/* How many cards equal to `card` lie face up in the row or column of a cell, without the cell
 * itself. */
static unsigned count_equal(const struct allegra_table *table, unsigned seat, unsigned cell,
                            int8_t card)
{
    uint16_t up = allegra_table_up(table, seat) & (uint16_t)~ALLEGRA_CELL_BIT(cell);
    unsigned count = 0;

    for (uint16_t rest = up; rest != 0; rest &= (uint16_t)(rest - 1)) {
        unsigned other = allegra_cell_lowest(rest);

        if (other % ALLEGRA_CELL_COLUMNS == cell % ALLEGRA_CELL_COLUMNS ||
            other / ALLEGRA_CELL_COLUMNS == cell / ALLEGRA_CELL_COLUMNS)
            count += allegra_table_card(table, seat, other) == card;
    }
    return count;
}

/* The answer that puts the card next to the most equal cards, if there is any. */
static struct allegra_answer collect(const struct allegra_table *table, unsigned seat,
                                     const struct allegra_legal *legal, struct allegra_dice *dice)
{
    int8_t card = table->question == ALLEGRA_QUESTION_PUT ? table->taken : table->drawn;
    struct allegra_answer best = allegra_simulate_choose(dice, legal);
    unsigned most = 0;

    for (unsigned i = 0; i < legal->count; i++) {
        struct allegra_answer answer = legal->list[i];
        unsigned like;

        if (answer.verb != ALLEGRA_VERB_KEEP && answer.verb != ALLEGRA_VERB_PLACE &&
            answer.verb != ALLEGRA_VERB_PUT)
            continue;
        like = 2 * count_equal(table, seat, allegra_cell_lowest(answer.cells), card) +
               allegra_dice_below(dice, 2);
        if (like < 2 || like <= most)
            continue;
        most = like;
        best = answer;
    }
    return best;
}

/* Chooses among the answers that have, or do not have, this verb. */
static struct allegra_answer choose_verb(const struct allegra_legal *legal, enum allegra_verb verb,
                                         bool has_verb, struct allegra_dice *dice)
{
    struct allegra_legal some = {0};

    for (unsigned i = 0; i < legal->count; i++) {
        if ((legal->list[i].verb == verb) == has_verb)
            some.list[some.count++] = legal->list[i];
    }
    return allegra_simulate_choose(dice, some.count > 0 ? &some : legal);
}

struct allegra_answer random_answer(const struct allegra_table *table, unsigned seat,
                                    const struct allegra_legal *legal,
                                    const struct play_style *style, struct allegra_dice *dice)
{
    switch (allegra_table_question(table)) {
    case ALLEGRA_QUESTION_KNOCK:
        if (style->knocks > 0)
            return choose_verb(legal, ALLEGRA_VERB_KNOCK, is_lucky(dice, style->knocks), dice);
        break;
    case ALLEGRA_QUESTION_ANSWER:
        if (is_lucky(dice, style->accepts))
            return choose_verb(legal, ALLEGRA_VERB_ACCEPT, true, dice);
        break;
    case ALLEGRA_QUESTION_CLEAR:
        if (is_lucky(dice, style->clears))
            return choose_verb(legal, ALLEGRA_VERB_CLEAR, true, dice);
        break;
    case ALLEGRA_QUESTION_MOVE:
    case ALLEGRA_QUESTION_PLACE:
    case ALLEGRA_QUESTION_PUT:
        if (is_lucky(dice, style->collects))
            return collect(table, seat, legal, dice);
        break;
    default:
        break;
    }
    return allegra_simulate_choose(dice, legal);
}

unsigned random_asked(const struct allegra_table *table, struct allegra_dice *dice)
{
    unsigned seat = allegra_dice_below(dice, table->seats);

    while (!(allegra_table_asked(table) >> seat & 1))
        seat = allegra_table_left(table, seat);
    return seat;
}

/* Rules. */

/* How many cards to play with: just enough, plenty, or as many as possible. */
static unsigned deck_size(struct allegra_dice *dice, unsigned seats, unsigned most)
{
    unsigned least = 12 * seats + 1;

    if (is_lucky(dice, 10))
        return most;
    return least + allegra_dice_below(dice, is_lucky(dice, 50) ? 6 : 60);
}

/* A deck of a few values. With few seats, two cards of each value are removed from the deck, so it
 * gets two more. */
static void random_deck(struct allegra_rules *rules, struct allegra_dice *dice, unsigned seats)
{
    unsigned kinds =
        1 + allegra_dice_below(dice, 1 + allegra_dice_below(dice, ALLEGRA_CARD_VALUES));
    unsigned first = allegra_dice_below(dice, ALLEGRA_CARD_VALUES);
    unsigned extra = seats > 3 ? 0 : 2;
    unsigned cards = deck_size(dice, seats, ALLEGRA_DECK_MAX - kinds * extra);

    memset(rules->deck, 0, sizeof rules->deck);
    for (unsigned i = 0; i < kinds; i++)
        rules->deck[(first + i) % ALLEGRA_CARD_VALUES] = (uint8_t)extra;
    while (cards-- > 0)
        rules->deck[(first + allegra_dice_below(dice, kinds)) % ALLEGRA_CARD_VALUES]++;
}

static void random_word_keys(struct allegra_rules *rules, struct allegra_dice *dice)
{
    char buffer[200];
    struct text problem;

    text_start(&problem, buffer, sizeof buffer);
    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);
        unsigned words = 0;

        while (words < ARRAY_LEN(key->names) && key->names[words] != NULL)
            words++;
        if (key->kind == RULES_KEY_NAME)
            rules_set(rules, span_of(key->name),
                      span_of(key->names[allegra_dice_below(dice, words)]), &problem);
    }
}

struct allegra_rules random_rules(struct allegra_dice *dice, unsigned seats)
{
    struct allegra_rules rules = allegra_rules_of_edition(
        (enum allegra_edition)allegra_dice_below(dice, ALLEGRA_EDITION_COUNT));

    rules.turn_limit = (uint16_t)(1 + allegra_dice_below(dice, 30));
    rules.rounds = (uint8_t)(1 + allegra_dice_below(dice, 3));
    if (is_lucky(dice, 60)) {
        random_word_keys(&rules, dice);
        rules.knock_rounds = (uint8_t)(1 + allegra_dice_below(dice, 3));
    }
    if (is_lucky(dice, 20))
        random_deck(&rules, dice, seats);
    else if (is_lucky(dice, 20))
        rules.score_limit = (uint16_t)(1 + allegra_dice_below(dice, 120));
    return rules;
}

void random_start(struct allegra_table *table, struct allegra_dice *dice)
{
    unsigned seats =
        ALLEGRA_SEATS_MIN + allegra_dice_below(dice, ALLEGRA_SEATS_MAX - ALLEGRA_SEATS_MIN + 1);
    struct allegra_rules rules = random_rules(dice, seats);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(dice);

    allegra_table_start(table, &rules, seats, allegra_dice_below(dice, seats), &shuffler, NULL);
}
