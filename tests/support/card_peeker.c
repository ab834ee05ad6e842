/* It tries each answer on the true table, and takes the one after which it expects the fewest
 * points. Bids, and answers that end the round, it leaves to the honest player. */

#include "support/card_peeker.h"

#include "value/value.h"

#include <math.h>

static double points_after(const struct allegra_table *table, unsigned seat,
                           struct allegra_answer answer)
{
    struct allegra_dice dice = allegra_dice_from(1);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_table after = *table;
    struct value value;

    allegra_table_apply(&after, seat, answer, &shuffler, NULL);
    if (after.round != table->round || allegra_table_is_over(&after))
        return INFINITY;
    value_ahead(&after, 1, &value);
    return value.points[seat];
}

struct allegra_answer card_peeker_choose(const struct allegra_table *table, unsigned seat,
                                         struct allegra_answer honest)
{
    struct allegra_answer best = honest;
    struct allegra_legal legal;
    double fewest = INFINITY;

    if (table->question == ALLEGRA_QUESTION_KNOCK)
        return honest;
    allegra_legal_list(table, seat, &legal);
    for (unsigned i = 0; i < legal.count; i++) {
        double points = points_after(table, seat, legal.list[i]);

        if (points < fewest)
            best = legal.list[i];
        fewest = fmin(points, fewest);
    }
    return best;
}
