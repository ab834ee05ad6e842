/* The autopilot never knocks and never accepts. It keeps a low card in place of the highest card it
 * sees, turns its cells up from A1 on, and clears what it can. If its bot was dismissed in the
 * middle of a knock, it takes the lowest card in sight and puts it over its own highest. */

#include "match/autopilot.h"

#include "base/text.h"

/* The drawn card is kept when it is no higher than this and lower than the card it replaces. */
#define LOW_CARD 4

static bool is_card(int face)
{
    return face <= ALLEGRA_CARD_MAX;
}

/* The answer with that verb whose cell shows the highest card (or lowest: sign -1) in the display
 * of `seat`; the first with that verb if no cell shows one; the first of all if there is no such
 * verb. */
static struct allegra_answer choose_by_card(const struct allegra_view *view,
                                            const struct allegra_legal *legal,
                                            enum allegra_verb verb, unsigned seat, int sign)
{
    struct allegra_answer best = legal->list[0];
    int best_worth = -1000;

    for (unsigned i = 0; i < legal->count; i++) {
        struct allegra_answer answer = legal->list[i];
        int face;
        int worth;

        if (answer.verb != verb || answer.cells == 0)
            continue;
        face = view->face[seat][allegra_cell_lowest(answer.cells)];
        worth = is_card(face) ? sign * face : -100;
        if (worth > best_worth) {
            best = answer;
            best_worth = worth;
        }
    }
    return best;
}

static struct allegra_answer choose_verb(const struct allegra_legal *legal, enum allegra_verb verb)
{
    for (unsigned i = 0; i < legal->count; i++) {
        if (legal->list[i].verb == verb)
            return legal->list[i];
    }
    return legal->list[0];
}

static struct allegra_answer choose_move(const struct allegra_view *view,
                                         const struct allegra_legal *legal)
{
    struct allegra_answer keep = choose_by_card(view, legal, ALLEGRA_VERB_KEEP, view->me, 1);
    int face = view->face[view->me][allegra_cell_lowest(keep.cells)];

    if (is_card(face) && view->drawn <= LOW_CARD && view->drawn < face)
        return keep;
    return choose_verb(legal, ALLEGRA_VERB_DROP);
}

static struct allegra_answer choose_version_1(const struct allegra_view *view,
                                              const struct allegra_legal *legal)
{
    switch ((enum allegra_question)view->question) {
    case ALLEGRA_QUESTION_DRAW:
        return choose_verb(legal, ALLEGRA_VERB_PILE);
    case ALLEGRA_QUESTION_KNOCK:
        return choose_verb(legal, ALLEGRA_VERB_PASS);
    case ALLEGRA_QUESTION_ANSWER:
        return choose_verb(legal, ALLEGRA_VERB_DECLINE);
    case ALLEGRA_QUESTION_MOVE:
        return choose_move(view, legal);
    case ALLEGRA_QUESTION_PLACE:
        return choose_by_card(view, legal, ALLEGRA_VERB_PLACE, view->me, 1);
    case ALLEGRA_QUESTION_TAKE:
        return choose_by_card(view, legal, ALLEGRA_VERB_TAKE, view->knocker, -1);
    case ALLEGRA_QUESTION_PUT:
        return choose_by_card(view, legal, ALLEGRA_VERB_PUT, view->me, 1);
    default:
        return legal->list[0];
    }
}

/* By version. */
static struct allegra_answer (*const versions[])(const struct allegra_view *view,
                                                 const struct allegra_legal *legal) = {
    [1] = choose_version_1,
};

_Static_assert(ARRAY_LEN(versions) == AUTOPILOT_VERSION + 1, "every version stays");

bool autopilot_is_known(unsigned version)
{
    return version >= 1 && version < ARRAY_LEN(versions);
}

struct allegra_answer autopilot_choose(unsigned version, const struct allegra_view *view,
                                       const struct allegra_legal *legal)
{
    return versions[version](view, legal);
}
