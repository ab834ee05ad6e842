/* The situations that a bot has met. Only questions that it answered count: an event while it
 * was not asked does not prove that it can cope with it. */

#include "cli/check/coverage.h"

#include "game/allegra.h"

static const char *const need_texts[COVERAGE_COUNT] = {
    [ALLEGRA_QUESTION_REVEAL] = "reveal",
    [ALLEGRA_QUESTION_DRAW] = "draw",
    [ALLEGRA_QUESTION_KNOCK] = "knock",
    [ALLEGRA_QUESTION_ANSWER] = "answer",
    [ALLEGRA_QUESTION_MOVE] = "move",
    [ALLEGRA_QUESTION_PLACE] = "place",
    [ALLEGRA_QUESTION_TAKE] = "take",
    [ALLEGRA_QUESTION_PUT] = "put",
    [ALLEGRA_QUESTION_CLEAR] = "clear",
    [COVERAGE_REFUSABLE] = "a triple that may be left",
    [COVERAGE_CHOICE] = "a choice of triples",
    [COVERAGE_BIDDING] = "a second bidding round",
    [COVERAGE_PRIVATE] = "a hidden hand card",
    [COVERAGE_RESHUFFLE] = "a reshuffle",
    [COVERAGE_FINAL] = "the final round",
    [COVERAGE_ROUND] = "a second round",
    [COVERAGE_DISMISSED] = "a dismissed neighbour",
};

const char *coverage_need_text(enum coverage_need need)
{
    return need_texts[need];
}

static bool may_answer(const struct allegra_table *table, unsigned seat, enum allegra_verb verb)
{
    struct allegra_legal legal;

    allegra_legal_list(table, seat, &legal);
    for (unsigned i = 0; i < legal.count; i++) {
        if (legal.list[i].verb == verb)
            return true;
    }
    return false;
}

void coverage_add(struct coverage *coverage, const struct allegra_table *table, unsigned seat,
                  bool is_one_dismissed)
{
    enum allegra_question question = allegra_table_question(table);
    const bool is_met[COVERAGE_COUNT] = {
        [COVERAGE_REFUSABLE] =
            question == ALLEGRA_QUESTION_CLEAR && may_answer(table, seat, ALLEGRA_VERB_NONE),
        [COVERAGE_CHOICE] =
            question == ALLEGRA_QUESTION_CLEAR && !may_answer(table, seat, ALLEGRA_VERB_NONE),
        [COVERAGE_BIDDING] = question == ALLEGRA_QUESTION_KNOCK && table->bid_round > 1,
        [COVERAGE_PRIVATE] = table->is_hand_private && table->knocker != seat,
        [COVERAGE_RESHUFFLE] = table->reshuffles > 0,
        [COVERAGE_FINAL] = table->trigger != ALLEGRA_SEAT_NONE,
        [COVERAGE_ROUND] = table->round > 1,
        [COVERAGE_DISMISSED] = is_one_dismissed,
    };

    coverage->needs[question]++;
    for (enum coverage_need need = COVERAGE_REFUSABLE; need < COVERAGE_COUNT; need++)
        coverage->needs[need] += is_met[need];
    coverage->editions |= 1U << table->rules.edition;
    coverage->sizes |= 1U << table->seats;
}

bool coverage_is_complete(const struct coverage *coverage)
{
    for (enum coverage_need need = COVERAGE_FIRST; need < COVERAGE_COUNT; need++) {
        if (coverage->needs[need] == 0)
            return false;
    }
    return true;
}
