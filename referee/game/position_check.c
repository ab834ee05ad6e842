/* Whether play can go on from a table that was read.
 *
 * Each stage of a turn has its own things in hand: one row in `stages`. On top of that come the few
 * facts that the rules rely on, such as that the active player has a down cell when he draws. */

#include "game/game_private.h"
#include "game/position.h"

/* What has to be in hand at a stage: 1 it must be there, 0 it must not, -1 either. */
struct stage {
    uint8_t question;
    uint8_t clear_step;
    int8_t drawn;
    int8_t knocker;
    int8_t hand;
    int8_t hole;
    int8_t taken;
    int8_t aside;
    int8_t bidding;
};

static const struct stage stages[] = {
    /* question, clear step, drawn, knocker, hand, hole, taken, aside, bidding */
    {ALLEGRA_QUESTION_NONE, ALLEGRA_CLEAR_NOTHING, 0, 0, 0, 0, 0, 0, 0},
    {ALLEGRA_QUESTION_REVEAL, ALLEGRA_CLEAR_NOTHING, 0, 0, 0, 0, 0, 0, 0},
    {ALLEGRA_QUESTION_DRAW, ALLEGRA_CLEAR_NOTHING, 0, 0, 0, 0, 0, 0, 0},
    {ALLEGRA_QUESTION_KNOCK, ALLEGRA_CLEAR_NOTHING, 1, 0, 0, 0, 0, 0, 1},
    {ALLEGRA_QUESTION_ANSWER, ALLEGRA_CLEAR_NOTHING, 1, 0, 0, 0, 0, 0, 1},
    {ALLEGRA_QUESTION_MOVE, ALLEGRA_CLEAR_NOTHING, 1, 0, 0, 0, 0, 0, -1},
    {ALLEGRA_QUESTION_PLACE, ALLEGRA_CLEAR_NOTHING, 1, 1, 0, 0, 0, 0, 1},
    {ALLEGRA_QUESTION_TAKE, ALLEGRA_CLEAR_NOTHING, 0, 1, 1, 0, 0, 0, 1},
    {ALLEGRA_QUESTION_PUT, ALLEGRA_CLEAR_NOTHING, 0, 1, 1, 1, 1, 0, 1},
    {ALLEGRA_QUESTION_CLEAR, ALLEGRA_CLEAR_START, 0, 0, 0, 0, 0, 0, 0},
    {ALLEGRA_QUESTION_CLEAR, ALLEGRA_CLEAR_MOVE, 0, 0, 0, 0, 0, -1, -1},
    {ALLEGRA_QUESTION_CLEAR, ALLEGRA_CLEAR_KNOCK1, 0, 1, 1, 0, 0, 0, 1},
    {ALLEGRA_QUESTION_CLEAR, ALLEGRA_CLEAR_SWAP, 0, 1, 1, 1, 0, -1, 1},
    {ALLEGRA_QUESTION_CLEAR, ALLEGRA_CLEAR_KNOCK2, 0, 1, 0, 0, 0, -1, 1},
    {ALLEGRA_QUESTION_CLEAR, ALLEGRA_CLEAR_END, 0, 1, 0, 0, 0, -1, 1},
};

static bool fits(int wanted, bool is_there)
{
    return wanted < 0 || (wanted == 1) == is_there;
}

/* What is wrong with the things in hand at a stage; NULL if they fit. */
static const char *check_hands(const struct stage *stage, const struct allegra_table *table)
{
    const struct {
        int wanted;
        bool is_there;
        const char *missing;
        const char *extra;
    } things[] = {
        {stage->drawn, table->drawn != ALLEGRA_CARD_NONE, "this question needs `drawn=`",
         "this question does not go with `drawn=`"},
        {stage->knocker, table->knocker != ALLEGRA_SEAT_NONE, "this question needs `knocker=`",
         "this question does not go with `knocker=`"},
        {stage->hand, table->hand != ALLEGRA_CARD_NONE, "this question needs `hand=`",
         "this question does not go with `hand=`"},
        {stage->hole, table->hole != ALLEGRA_CELL_NONE, "this question needs `hole=`",
         "this question does not go with `hole=`"},
        {stage->taken, table->taken != ALLEGRA_CARD_NONE, "this question needs `taken=`",
         "this question does not go with `taken=`"},
        {stage->aside, table->aside != ALLEGRA_CARD_NONE, "this question needs `aside=`",
         "this question does not go with `aside=`"},
        {stage->bidding, table->bid_round > 0, "this question needs `bidding=`",
         "this question does not go with `bidding=`, `bids=` and `asked=`"},
    };

    for (size_t i = 0; i < ARRAY_LEN(things); i++) {
        if (!fits(things[i].wanted, things[i].is_there))
            return things[i].is_there ? things[i].extra : things[i].missing;
    }
    return NULL;
}

/* No two stages have the same question and clear step. */
static const char *check_stage(const struct allegra_table *table)
{
    for (size_t i = 0; i < ARRAY_LEN(stages); i++) {
        if (stages[i].question == table->question && stages[i].clear_step == table->clear_step)
            return check_hands(&stages[i], table);
    }
    return table->question == ALLEGRA_QUESTION_CLEAR
               ? "this question needs `clear=`, the clear step"
               : "this question does not go with `clear=`";
}

static bool is_seat(const struct allegra_table *table, unsigned seat)
{
    return seat < table->seats;
}

static const char *check_seats(const struct allegra_table *table)
{
    unsigned all = (1U << table->seats) - 1;

    if (!is_seat(table, table->active) || !is_seat(table, table->dealer))
        return "the active seat or the dealer is not at the table";
    if (table->trigger != ALLEGRA_SEAT_NONE && !is_seat(table, table->trigger))
        return "the trigger is not at the table";
    if (table->knocker != ALLEGRA_SEAT_NONE &&
        (!is_seat(table, table->knocker) || !(table->knockers >> table->knocker & 1)))
        return "the knocker did not knock: `bids=` needs its bid";
    if ((table->bidders | table->final_moved) & ~all)
        return "a seat that is not at the table has bid or moved";
    return NULL;
}

static unsigned count_holes(const struct allegra_table *table)
{
    unsigned holes = 0;

    for (unsigned seat = 0; seat < table->seats; seat++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
            bool is_twice = ALLEGRA_CELL_BIT(cell) & ALLEGRA_CELL_COLUMN_E;

            holes += !is_twice && table->present[seat] >> cell & 1 &&
                     allegra_table_card(table, seat, cell) == ALLEGRA_CARD_NONE;
        }
    }
    return holes;
}

static const char *check_cards(const struct allegra_table *table)
{
    unsigned cards = table->draw_count + table->discard_count;

    cards += (unsigned)(table->drawn != ALLEGRA_CARD_NONE) +
             (unsigned)(table->hand != ALLEGRA_CARD_NONE) +
             (unsigned)(table->taken != ALLEGRA_CARD_NONE) +
             (unsigned)(table->aside != ALLEGRA_CARD_NONE);
    for (unsigned seat = 0; seat < table->seats; seat++)
        cards += allegra_cell_count(table->present[seat] & (uint16_t)~ALLEGRA_CELL_COLUMN_E);
    if (cards - count_holes(table) > ALLEGRA_DECK_MAX)
        return "there are too many cards";
    if (count_holes(table) != (table->hole != ALLEGRA_CELL_NONE))
        return "the hole is not where the cells say";
    if (table->hole != ALLEGRA_CELL_NONE &&
        (table->codes[table->knocker] >> 4 * table->hole & 15U) != ALLEGRA_TABLE_CODE_HOLE)
        return "the hole is not where the cells say";
    if (table->discard_count == 0 && !table->is_from_discard &&
        table->question != ALLEGRA_QUESTION_NONE && table->clear_step != ALLEGRA_CLEAR_MOVE)
        return "the discard pile is empty: `discard=` is missing";
    return NULL;
}

static const char *check_round(const struct allegra_table *table)
{
    bool is_final = table->trigger != ALLEGRA_SEAT_NONE;

    if (table->round == 0)
        return "rounds count from 1";
    if (table->final_left >= table->seats || (!is_final && table->final_left > 0) ||
        (!is_final && table->final_moved != 0))
        return "the final round does not fit";
    if (is_final && table->down[table->trigger] != 0)
        return "the trigger still has a down card";
    if (is_final ? table->first_completed != ALLEGRA_SEAT_NONE
                 : (table->completed != 0) != (table->first_completed != ALLEGRA_SEAT_NONE))
        return "the first to be complete must be named (`first=`) if a seat is complete, and only "
               "before the final round";
    if (table->first_completed != ALLEGRA_SEAT_NONE &&
        !(table->completed >> table->first_completed & 1))
        return "the first to be complete still has a down card";
    return NULL;
}

static const char *check_reveal(const struct allegra_table *table)
{
    unsigned most = table->reveals_left;

    if (most == 0 || most > 2U * table->seats || table->turn != 0 ||
        table->trigger != ALLEGRA_SEAT_NONE)
        return "this is no moment to reveal cards: `reveals=` from 1 and `turn=0` belong to it";
    if (table->active != ((table->rules.starter == ALLEGRA_STARTER_DEALER ? 0U : 1U) +
                          table->dealer + (2U * table->seats - most) / 2) %
                             table->seats)
        return "another seat reveals now";
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (allegra_cell_count(table->down[seat]) < most)
            return "there are fewer down cards than are still to be revealed";
    }
    return NULL;
}

static const char *check_bids(const struct allegra_table *table)
{
    if (table->bid_round == 0)
        return table->bidders == 0 ? NULL : "there are bids without a bidding round";
    if (table->bid_round > table->rules.knock_rounds || table->is_from_discard)
        return "there can be no such bidding round";
    if (table->question == ALLEGRA_QUESTION_KNOCK && table->asked == 0)
        return "no seat is asked to knock: `asked=` is missing";
    if (table->question == ALLEGRA_QUESTION_KNOCK && table->asked & table->knockers)
        return "a seat that is asked to knock has knocked already: it is in `bids=` and `asked=`";
    if (table->bidders == 0 || table->bidders >> table->active & 1)
        return "the wrong seats bid: `bids=` and `asked=` name all that may knock, except the "
               "active seat";
    if (table->question == ALLEGRA_QUESTION_ANSWER && table->knockers == 0 &&
        table->bid_round == table->rules.knock_rounds)
        return "there is nothing to answer: `bids=` has no knock";
    for (unsigned seat = 0; seat < table->seats; seat++) {
        bool is_early = table->question == ALLEGRA_QUESTION_KNOCK ||
                        table->question == ALLEGRA_QUESTION_ANSWER ||
                        table->question == ALLEGRA_QUESTION_PLACE;

        if (is_early && table->bidders >> seat & 1 && !(allegra_knock_eligible(table) >> seat & 1))
            return "a seat bids that may not knock";
        if (is_early && (table->offer[seat] & ~table->present[seat]))
            return "an offered cell is a gap";
    }
    return NULL;
}

/* Whether the rules have that clear step at all, with a card aside or without. */
static bool is_step_of_rules(const struct allegra_table *table)
{
    const struct allegra_rules *rules = &table->rules;
    bool is_swap = rules->knock_active_clear == ALLEGRA_KNOCK_ACTIVE_CLEAR_SWAP;
    bool is_end = rules->knock_active_clear == ALLEGRA_KNOCK_ACTIVE_CLEAR_END;
    bool has_aside = table->aside != ALLEGRA_CARD_NONE;

    if (table->clear_step > ALLEGRA_CLEAR_MOVE && has_aside &&
        rules->knock_toss == ALLEGRA_KNOCK_TOSS_AT_SWAP)
        return false;
    switch ((enum allegra_clear_step)table->clear_step) {
    case ALLEGRA_CLEAR_START:
        return rules->standing == ALLEGRA_STANDING_TURN_START;
    case ALLEGRA_CLEAR_SWAP:
        return !is_end;
    case ALLEGRA_CLEAR_KNOCK2:
        return rules->knock_clear2 && !(is_swap && has_aside);
    case ALLEGRA_CLEAR_END:
        return !is_swap;
    default:
        return true;
    }
}

static const char *check_clear(const struct allegra_table *table)
{
    struct allegra_triples triples;

    if (table->question != ALLEGRA_QUESTION_CLEAR)
        return table->clear_start == 0 ? NULL : "no clear step is going on";
    if (!is_step_of_rules(table))
        return "by these rules no seat clears now";
    allegra_clear_choices(table, &triples);
    if (triples.count == 0)
        return "there is nothing to clear";
    if (table->present[clear_seat(table)] & ~table->clear_start)
        return "a cell has come back since the clear step began";
    return NULL;
}

static const char *check_turn(const struct allegra_table *table)
{
    bool is_early =
        table->question == ALLEGRA_QUESTION_DRAW || table->question == ALLEGRA_QUESTION_KNOCK ||
        table->question == ALLEGRA_QUESTION_ANSWER || table->question == ALLEGRA_QUESTION_MOVE ||
        table->clear_step == ALLEGRA_CLEAR_START;

    if (table->is_from_discard && table->question != ALLEGRA_QUESTION_MOVE &&
        table->clear_step != ALLEGRA_CLEAR_MOVE)
        return "no card was drawn from the discard pile";
    if (table->turn == 0 || table->reveals_left != 0)
        return "turns count from 1, after the cards are revealed";
    if (is_early && table->down[table->active] == 0)
        return "the active player has no down card";
    if (is_early && table->first_completed != ALLEGRA_SEAT_NONE)
        return "a seat is complete before the active player has moved";
    if (table->question == ALLEGRA_QUESTION_TAKE && allegra_knock_takeable(table) == 0)
        return "there is nothing to take";
    if (table->question == ALLEGRA_QUESTION_PUT &&
        (table->present[table->active] & ~allegra_table_hole(table, table->active)) == 0)
        return "there is nowhere to put the taken card";
    if (table->question == ALLEGRA_QUESTION_PLACE && table->present[table->knocker] == 0)
        return "the knocker has no cell to place the card";
    return NULL;
}

const char *position_problem(const struct allegra_table *table)
{
    const char *problem = check_stage(table);

    if (problem == NULL)
        problem = check_seats(table);
    if (problem == NULL)
        problem = check_cards(table);
    if (problem == NULL && table->question != ALLEGRA_QUESTION_NONE)
        problem = check_round(table);
    if (problem == NULL && table->question == ALLEGRA_QUESTION_REVEAL)
        problem = check_reveal(table);
    if (problem == NULL && table->question != ALLEGRA_QUESTION_REVEAL &&
        table->question != ALLEGRA_QUESTION_NONE)
        problem = check_turn(table);
    if (problem == NULL)
        problem = check_bids(table);
    if (problem == NULL)
        problem = check_clear(table);
    return problem;
}
