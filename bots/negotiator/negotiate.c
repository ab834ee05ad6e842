/* Only the questions around a knock are special: a request is said with `again`, read before the
 * next bid, and remembered when the knock is accepted. */

#include "negotiator/negotiate.h"

#include "negotiator/bargain.h"
#include "strong/think.h"

/* A table that looks like ours. Only its open cards are used, so any guess will do. */
static void picture(const struct kit *kit, struct allegra_table *table)
{
    struct knowledge knowledge = {&kit->view, kit->discards, kit->discard_count};
    struct allegra_dice dice = kit->dice;
    struct guess guess;

    guess_start(&guess, &knowledge);
    guess_deal(&guess, &dice, table);
}

static bool is_legal(const struct allegra_legal *legal, struct allegra_answer answer)
{
    for (unsigned i = 0; i < legal->count; i++) {
        if (legal->list[i].verb == answer.verb && legal->list[i].cells == answer.cells)
            return true;
    }
    return false;
}

static struct allegra_answer search(const struct negotiation *negotiation, struct kit *kit)
{
    struct think_terms terms = {.samples = negotiation->samples, .is_timed = negotiation->is_timed};

    return think(kit, &terms);
}

/* Our cell that the active player asked us to use, as a mask, or 0. */
static uint16_t requested_cell(const struct kit *kit)
{
    unsigned cell;

    if (bargain_read_request(kit->said[kit->view.active], kit->view.me, &cell) != 0)
        return 0;
    return ALLEGRA_CELL_BIT(cell);
}

static struct allegra_answer bid(const struct negotiation *negotiation, struct kit *kit)
{
    struct allegra_answer requested = {.verb = ALLEGRA_VERB_KNOCK, .cells = requested_cell(kit)};
    struct allegra_table table;

    if (requested.cells == 0 || !is_legal(&kit->legal, requested))
        return search(negotiation, kit);
    picture(kit, &table);
    return bargain_suits(&table, kit->view.me, allegra_cell_lowest(requested.cells))
               ? requested
               : search(negotiation, kit);
}

static struct allegra_answer answer_bids(struct negotiation *negotiation, struct kit *kit)
{
    const struct allegra_view *view = &kit->view;
    struct allegra_answer again = {.verb = ALLEGRA_VERB_AGAIN};
    struct allegra_table table;
    struct offer request;
    char sentence[BARGAIN_REQUEST_MAX];

    if (view->bid_round == 1)
        negotiation->requested = 0;
    if (!view->rules.talk || !is_legal(&kit->legal, again))
        return search(negotiation, kit);
    picture(kit, &table);
    if (!bargain_find_request(&table, negotiation->requested, &request))
        return search(negotiation, kit);
    bargain_write_request(&request, sentence);
    kit_say(kit, sentence);
    negotiation->requested |= 1U << request.seat;
    return again;
}

static struct allegra_answer place(const struct negotiation *negotiation, struct kit *kit)
{
    struct allegra_answer promised = {.verb = ALLEGRA_VERB_PLACE, .cells = requested_cell(kit)};

    return is_legal(&kit->legal, promised) ? promised : search(negotiation, kit);
}

struct allegra_answer negotiate(struct negotiation *negotiation, struct kit *kit)
{
    switch (kit->view.question) {
    case ALLEGRA_QUESTION_KNOCK:
        return bid(negotiation, kit);
    case ALLEGRA_QUESTION_ANSWER:
        return answer_bids(negotiation, kit);
    case ALLEGRA_QUESTION_PLACE:
        return place(negotiation, kit);
    default:
        return search(negotiation, kit);
    }
}
