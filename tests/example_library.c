/* Four players answer at random until the match is over: cc example_library.c -lallegra */
#include <allegra.h>
#include <stdio.h>

int main(void)
{
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);
    struct allegra_dice dice = allegra_dice_from(2020);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_table table;

    allegra_table_start(&table, &rules, 4, 0, &shuffler, NULL);
    while (!allegra_table_is_over(&table)) {
        for (unsigned seat = 0; seat < table.seats; seat++) {
            struct allegra_legal legal;

            allegra_legal_list(&table, seat, &legal); /* empty unless this seat is asked */
            if (legal.count > 0)
                allegra_table_apply(&table, seat, allegra_simulate_choose(&dice, &legal), &shuffler,
                                    NULL);
        }
    }
    for (unsigned seat = 0; seat < table.seats; seat++)
        printf("seat %u: %.1f points%s\n", seat, table.total_halves[seat] / 2.0,
               allegra_table_winners(&table) >> seat & 1 ? ", wins" : "");
    return 0;
}
