/* Reads any bytes as a position. A valid one must be the same when it is written and read again,
 * and random play from there must keep the invariants. */

#include "support/invariants.h"
#include "game/position.h"
#include "support/same_table.h"

#include <stdio.h>
#include <stdlib.h>

#define STEPS_MAX 2000

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void require(const char *problem)
{
    if (problem == NULL)
        return;
    fprintf(stderr, "%s\n", problem);
    abort();
}

static void check(bool holds)
{
    require(holds ? NULL : "a check failed: see the stack");
}

static void check_round_trip(const struct allegra_table *table)
{
    static char buffer[ALLEGRA_POSITION_MAX];
    char problem_buffer[200];
    struct text text;
    struct text problem;
    struct allegra_table again;

    text_start(&text, buffer, sizeof buffer);
    text_start(&problem, problem_buffer, sizeof problem_buffer);
    position_write(&text, table);
    check(!text.is_cut);
    check(position_read(span_of(buffer), &again, &problem) == 0);
    check(same_table(table, &again));
}

static void play_randomly(struct allegra_table *table, uint64_t seed)
{
    static struct invariants invariants;
    static struct allegra_events events;
    struct allegra_dice dice = allegra_dice_from(seed);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_legal legal;

    require(invariants_start(&invariants, table, NULL));
    for (unsigned i = 0; i < STEPS_MAX && !allegra_table_is_over(table); i++) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(table));

        allegra_legal_list(table, seat, &legal);
        check(allegra_table_apply(table, seat, allegra_simulate_choose(&dice, &legal), &shuffler,
                                  &events) == ALLEGRA_REFUSAL_NONE);
        require(invariants_check(&invariants, table, &events));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct span span = {(const char *)bytes, length};
    char buffer[200];
    struct text problem;
    struct allegra_table table;

    text_start(&problem, buffer, sizeof buffer);
    if (position_read(span, &table, &problem) != 0) {
        check(problem.length > 0);
        return 0;
    }
    require(position_problem(&table));
    check_round_trip(&table);
    play_randomly(&table, length);
    return 0;
}
