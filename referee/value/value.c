/* A table is judged by the network of its edition. Rule keys that were changed by hand do not
 * change the network: it is then less exact, which costs precision where luck is measured, and
 * nothing else. */

#include "value/value.h"

#include "value/value_look.h"

static const struct network *network_for(const struct allegra_table *table)
{
    unsigned edition = table->rules.edition;

    return network_of_edition[edition < ALLEGRA_EDITION_COUNT ? edition : 0];
}

void value_look(const struct allegra_table *table, struct glance *glance,
                struct network_memory *memory, struct value *value)
{
    struct network_inputs inputs;
    struct network_trace trace;

    if (allegra_table_is_over(table)) {
        value_of_totals(table, value);
        return;
    }
    network_look(&inputs, table, glance);
    network_run(network_for(table), &inputs, memory, &trace);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        value->points[seat] = inputs.totals[seat] + trace.points[seat];
        value->wins[seat] = trace.wins[seat];
    }
}

void value_of(const struct allegra_table *table, struct value *value)
{
    struct network_memory memory;
    struct glance glance;

    network_forget(&memory);
    glance_start(&glance, table);
    value_look(table, &glance, &memory, value);
}

/* The wins that the totals promise at the start of a round, whatever card starts its discard
 * pile. */
static void expect_wins(const struct allegra_table *table, struct value *value)
{
    struct allegra_table dealt = *table;
    struct value start;

    dealt.pile[dealt.draw_count++] = allegra_table_discarded(table, 0);
    dealt.discard_count = 0;
    value_of(&dealt, &start);
    for (unsigned seat = 0; seat < table->seats; seat++)
        value->wins[seat] = start.wins[seat];
}

void value_of_totals(const struct allegra_table *table, struct value *value)
{
    unsigned winners = allegra_table_winners(table);

    for (unsigned seat = 0; seat < table->seats; seat++) {
        value->points[seat] = table->total_halves[seat] / 2.0;
        value->wins[seat] = winners >> seat & 1 ? 1.0 / allegra_cell_count((uint16_t)winners) : 0;
    }
    if (!allegra_table_is_over(table))
        expect_wins(table, value);
}
