/* Luck is counted when a question is settled and before the next one is asked: no bot is on its
 * clock then. The table has taken bids in the order in which they arrived; here all answers are
 * given once more, in seat order, to a copy of the table that was asked. So the same match has the
 * same luck whenever it is played again. */

#include "match/match_private.h"

void match_count_deal(struct match *match)
{
    if (match->setup.measures_luck)
        luck_start(&match->luck, &match->table, NULL);
}

void match_count_answers(struct match *match)
{
    struct allegra_table before = match->asked_table;

    for (unsigned seat = 0; seat < match->setup.seats && match->setup.measures_luck; seat++) {
        struct allegra_answer answer = match->seats[seat].reply.answer;
        struct allegra_table after = before;

        if (!(match->asked >> seat & 1))
            continue;
        allegra_table_apply(&after, seat, answer, &match->shuffler, NULL);
        luck_add(&match->luck, &before, seat, answer, &after, NULL);
        before = after;
    }
}
