/* Random matches, checked from the first card to the last: the invariants must hold with any rules
 * and any players. Each run counts the corner cases that it reaches, and none may be missing. A
 * failure reports the seed of the match and the table as text. */

#include "support/effort.h"
#include "game/position.h"
#include "support/invariants.h"
#include "support/random_play.h"
#include "support/same_table.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define MATCHES 2000
#define LATE_TABLES 20000

/* More steps than any of these matches has. */
#define STEPS_MAX 200000

/* One match, its players and its checker. */
struct watched {
    struct allegra_table table;
    struct invariants invariants;
    struct allegra_events events;
    struct allegra_dice dice;
    struct play_style styles[ALLEGRA_SEATS_MAX];
    uint64_t seed;
};

static void fail(const struct watched *watched, const char *problem)
{
    char buffer[ALLEGRA_POSITION_MAX];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    position_write(&text, &watched->table);
    cr_assert_fail("seed %llu: %s\nnow:\n%s", (unsigned long long)watched->seed, problem, buffer);
}

static void require(const struct watched *watched, const char *problem)
{
    if (problem != NULL)
        fail(watched, problem);
}

/* Applies one random answer without a check. */
static void step(struct watched *watched)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&watched->dice);
    unsigned seat = random_asked(&watched->table, &watched->dice);
    struct allegra_legal legal;
    struct allegra_answer answer;

    allegra_legal_list(&watched->table, seat, &legal);
    answer = random_answer(&watched->table, seat, &legal, &watched->styles[seat], &watched->dice);
    if (watched->invariants.corners != NULL)
        corner_cases_answer(watched->invariants.corners, answer);
    if (allegra_table_apply(&watched->table, seat, answer, &shuffler, &watched->events) !=
        ALLEGRA_REFUSAL_NONE)
        fail(watched, "a legal answer is refused");
}

static bool is_same_event(const struct allegra_event *one, const struct allegra_event *other)
{
    return one->kind == other->kind && one->seat == other->seat && one->other == other->other &&
           one->cell == other->cell && one->card == other->card && one->old == other->old &&
           one->seen_by == other->seen_by && one->cells == other->cells &&
           one->number == other->number && one->score_halves == other->score_halves &&
           one->total_halves == other->total_halves;
}

static bool has_same_events(const struct allegra_events *one, const struct allegra_events *other)
{
    for (unsigned i = 0; i < one->count && i < other->count; i++) {
        if (!is_same_event(&one->list[i], &other->list[i]))
            return false;
    }
    return one->count == other->count;
}

/* Writes the table, reads it again, and plays both for a while. */
static void round_trip(const struct watched *watched)
{
    static struct watched original;
    static struct watched copy;
    char buffer[ALLEGRA_POSITION_MAX];
    char problem_buffer[200];
    struct text text;
    struct text problem;

    original = *watched;
    original.invariants.corners = NULL;
    copy = original;
    text_start(&text, buffer, sizeof buffer);
    text_start(&problem, problem_buffer, sizeof problem_buffer);
    position_write(&text, &original.table);
    text_add(&problem, "the table cannot be read back: ");
    if (text.is_cut || position_read(span_of(buffer), &copy.table, &problem) != 0)
        fail(watched, problem_buffer);
    for (unsigned i = 0; i < 12; i++) {
        if (!same_table(&original.table, &copy.table))
            fail(watched, "the table that was read back differs, or plays differently");
        if (allegra_table_is_over(&original.table))
            return;
        step(&original);
        step(&copy);
        if (!has_same_events(&original.events, &copy.events))
            fail(watched, "the table that was read back has other events");
    }
}

/* Plays a match to its end, with all checks. */
static void watch(struct watched *watched, struct corner_cases *corners)
{
    require(watched, invariants_deck_problem(&watched->table));
    require(watched, invariants_start(&watched->invariants, &watched->table, corners));
    for (unsigned steps = 0; !allegra_table_is_over(&watched->table); steps++) {
        if (allegra_dice_below(&watched->dice, 100) == 0)
            round_trip(watched);
        step(watched);
        require(watched, invariants_check(&watched->invariants, &watched->table, &watched->events));
        if (steps == STEPS_MAX)
            fail(watched, "the match does not end");
    }
}

typedef void make_fn(struct allegra_table *table, struct allegra_dice *dice);

static void play_many(make_fn *make, unsigned matches, uint64_t first_seed,
                      struct corner_cases *corners)
{
    static struct watched watched;

    for (unsigned i = 0; i < matches; i++) {
        watched.seed = first_seed + i;
        watched.dice = allegra_dice_from(watched.seed);
        make(&watched.table, &watched.dice);
        for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++)
            watched.styles[seat] = random_play_style(&watched.dice);
        watch(&watched, corners);
    }
}

/* Corner cases that whole matches hardly ever reach: late tables must reach them. */
static const enum corner rare[] = {
    CORNER_KNOCKER_EMPTIED, CORNER_ACTIVE_EMPTIED,  CORNER_BREAK_SAME_CELL, CORNER_BREAK_KNOCKER,
    CORNER_BREAK_ACTIVE,    CORNER_BOTH_KNOCKER,    CORNER_BOTH_NEXT,       CORNER_FIRST_IN_TIME,
    CORNER_FAILED_ZERO,     CORNER_NEGATIVE_KEPT,   CORNER_NEGATIVE_HALVED, CORNER_MINUS_TEN,
    CORNER_FIVE_IN_A_ROW,   CORNER_END_ROUND_FINAL, CORNER_TRIGGER_TIED,
};

static bool is_rare(enum corner corner)
{
    for (size_t i = 0; i < ARRAY_LEN(rare); i++) {
        if (rare[i] == corner)
            return true;
    }
    return false;
}

/* Prints an optional corner case only if it was reached. */
static void report(const char *where, enum corner corner, unsigned long count, bool is_required)
{
    if (count == 0 && !is_required)
        return;
    printf("count %s.%s %lu\n", where, corner_cases_name(corner), count);
    cr_expect(count > 0, "%s: %s was never reached", where, corner_cases_name(corner));
}

Test(random, the_invariants_hold_in_random_matches)
{
    static struct corner_cases corners;

    play_many(random_start, effort(MATCHES), 1, &corners);
    for (unsigned i = 0; i < CORNER_COUNT; i++)
        report("matches", (enum corner)i, corners.counts[i], !is_rare((enum corner)i));
    fflush(stdout);
}

Test(random, the_invariants_hold_late_in_a_round)
{
    static struct corner_cases corners;

    play_many(random_late_table, effort(LATE_TABLES), 1000000, &corners);
    for (unsigned i = 0; i < ARRAY_LEN(rare); i++)
        report("late", rare[i], corners.counts[rare[i]], true);
    fflush(stdout);
}
