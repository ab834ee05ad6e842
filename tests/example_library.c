/* Plays a match between four players that answer at random. Build it with: cc ... -lreferee */
#include "game/allegra.h"
#include <stdio.h>

int main(void)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);
    struct allegra_dice dice = allegra_dice_from(2020);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_table table;
    struct allegra_legal legal;

    allegra_table_start(&table, &rules, 4, 0, &shuffler, NULL);
    while (!allegra_table_is_over(&table)) {
        for (unsigned seat = 0; seat < 4; seat++) {
            allegra_legal_list(&table, seat,
                               &legal); /* empty unless this seat is asked */
            if (legal.count > 0) {
                struct allegra_answer answer = legal.list[allegra_dice_below(&dice, legal.count)];
                allegra_table_apply(&table, seat, answer, &shuffler, NULL);
            }
        }
    }
    for (unsigned seat = 0; seat < 4; seat++) {
        const char *prize = allegra_score_winners(&table) >> seat & 1 ? " and wins" : "";
        printf("seat %u has %.1f points%s\n", seat, table.total_halves[seat] / 2.0, prize);
    }
    return 0;
}
