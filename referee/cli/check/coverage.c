/* What a bot has met. Only questions that it answered count: what happened while it was not asked is no
 * proof that it can go on after it. */

#include "cli/check_coverage.h"

#include "game/legal.h"

static const char *const need_words[NEED_COUNT] = {
    [QUESTION_REVEAL] = "reveal",
    [QUESTION_DRAW] = "draw",
    [QUESTION_KNOCK] = "knock",
    [QUESTION_ANSWER] = "answer",
    [QUESTION_MOVE] = "move",
    [QUESTION_PLACE] = "place",
    [QUESTION_TAKE] = "take",
    [QUESTION_PUT] = "put",
    [QUESTION_CLEAR] = "clear",
    [NEED_REFUSABLE] = "a triple that may be left",
    [NEED_CHOICE] = "a choice of triples",
    [NEED_BIDDING] = "a second bidding round",
    [NEED_PRIVATE] = "a hidden hand card",
    [NEED_RESHUFFLE] = "a reshuffle",
    [NEED_FINAL] = "the final round",
    [NEED_ROUND] = "a second round",
    [NEED_DISMISSED] = "a dismissed neighbour",
};

const char *check_need_words(enum check_need need)
{
    return need_words[need];
}

static bool may_answer(const struct table *table, unsigned seat, enum verb verb)
{
    struct legal legal;

    legal_list(table, seat, &legal);
    for (unsigned i = 0; i < legal.count; i++) {
        if (legal.list[i].verb == verb)
            return true;
    }
    return false;
}

void check_cover(struct check_coverage *coverage, const struct table *table, unsigned seat,
                 bool is_one_dismissed)
{
    enum question question = table_question(table);
    const bool is_met[NEED_COUNT] = {
        [NEED_REFUSABLE] = question == QUESTION_CLEAR && may_answer(table, seat, VERB_NONE),
        [NEED_CHOICE] = question == QUESTION_CLEAR && !may_answer(table, seat, VERB_NONE),
        [NEED_BIDDING] = question == QUESTION_KNOCK && table->bid_round > 1,
        [NEED_PRIVATE] = table->is_hand_private && table->knocker != seat,
        [NEED_RESHUFFLE] = table->reshuffles > 0,
        [NEED_FINAL] = table->trigger != SEAT_NONE,
        [NEED_ROUND] = table->round > 1,
        [NEED_DISMISSED] = is_one_dismissed,
    };

    coverage->needs[question]++;
    for (enum check_need need = NEED_REFUSABLE; need < NEED_COUNT; need++)
        coverage->needs[need] += is_met[need];
    coverage->editions |= 1U << table->rules.edition;
    coverage->sizes |= 1U << table->seats;
}

bool check_is_covered(const struct check_coverage *coverage)
{
    for (enum check_need need = NEED_FIRST; need < NEED_COUNT; need++) {
        if (coverage->needs[need] == 0)
            return false;
    }
    return true;
}
