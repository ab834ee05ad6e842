/* A whole match between four players who answer at random. Build it with: cc ... -lreferee */
#include "game/game.h"
#include <stdio.h>

int main(void)
{
    struct rules rules = rules_of_edition(EDITION_EN2020);
    struct dice dice = dice_from(2020);
    struct shuffler shuffler = simulate_shuffler(&dice);
    struct table table;
    struct legal legal;

    table_start(&table, &rules, 4, 0, &shuffler, NULL);
    while (!table_is_over(&table)) {
        for (unsigned seat = 0; seat < 4; seat++) {
            legal_list(&table, seat, &legal); /* empty unless something is asked of this seat */
            if (legal.count > 0) {
                struct answer answer = legal.list[dice_below(&dice, legal.count)];
                table_apply(&table, seat, answer, &shuffler, NULL);
            }
        }
    }
    for (unsigned seat = 0; seat < 4; seat++) {
        const char *prize = score_winners(&table) >> seat & 1 ? " and wins" : "";
        printf("seat %u has %.1f points%s\n", seat, table.total_halves[seat] / 2.0, prize);
    }
    return 0;
}
