/* After some turns chance has not had much to say yet, so the results of different answers lie
 * closer together than at the end of the round and fewer games tell them apart; and a game takes a
 * fraction of the time. The price is that the value function errs. Its errors differ from game to
 * game, so they matter less if the games have parted a little: after two circles of turns. They are
 * largest near the end of a round, when somebody is about to end it; that end is near then, so such
 * a game is played out.
 *
 * A full game needs no value function. Its end is worth what it means for the match: mostly whether
 * we are ahead of the best of the others, and a little by how much. */

#include "strong/trial.h"

/* Found by playing against variations of itself. */
#define WORTH_OF_WIN 100.0 /* of a won match, */
#define WORTH_OF_POINT 1.0 /* and of each point less in the end */

#define CIRCLES 2   /* of turns before a game is judged, */
#define LATE_MOST 2 /* unless somebody has so few down cells */

/* Of full games; found by playing against greedy. */
#define FULL_POINT 2     /* worth of a point of the lead in the end, */
#define FULL_LEAD_MAX 40 /* as far as it counts */
#define FULL_SCALE 12    /* such a lead is half the way to a won match, a round before its end */

static double worth_of_value(const struct value *value, unsigned me)
{
    return WORTH_OF_WIN * value->wins[me] - WORTH_OF_POINT * value->points[me];
}

/* How far `me` is in front of the best of the others, in half points. */
static int lead_of(const struct allegra_table *table, unsigned me)
{
    int32_t least = INT32_MAX;

    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (seat != me && table->total_halves[seat] < least)
            least = table->total_halves[seat];
    }
    return least - table->total_halves[me];
}

/* What the end of a round is worth. */
static int worth_of_end(const struct allegra_table *table, unsigned me)
{
    int lead = lead_of(table, me);
    int most = 2 * FULL_LEAD_MAX;
    int win = (int)WORTH_OF_WIN;
    int worth = FULL_POINT * estimate_lower(estimate_higher(lead, -most), most) / 2;

    if (!allegra_table_is_over(table))
        return worth + win * lead / (2 * FULL_SCALE + (lead < 0 ? -lead : lead));
    if (lead == 0)
        return worth + win / 2;
    return worth + (lead > 0 ? win : 0);
}

void trial_start(struct trial *trial, const struct allegra_table *table, unsigned me, bool is_full)
{
    trial->me = me;
    trial->is_full = is_full;
    glance_start(&trial->glance, table);
    for (unsigned seat = 0; seat < table->seats; seat++)
        glance_at(&trial->glance, table, seat);
    network_forget(&trial->memory);
}

/* Whether the round may be over soon. */
static bool is_late(const struct allegra_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (allegra_cell_count(table->down[seat]) <= LATE_MOST)
            return true;
    }
    return false;
}

/* Plays until the value function can judge: at a turn of `me`. Returns false if the round ended
 * before. */
static bool play_to_turn(struct allegra_table *table, struct glance *glance, unsigned me,
                         const struct allegra_shuffler *shuffler)
{
    unsigned round = table->round;
    unsigned circles = 0;

    while (!allegra_table_is_over(table) && table->round == round) {
        unsigned seat = (unsigned)__builtin_ctz(allegra_table_asked(table));

        if (table->question == ALLEGRA_QUESTION_DRAW && seat == me && !is_late(table) &&
            ++circles >= CIRCLES)
            return true;
        /* Never refused; but a bot that thought for ever would lose more than one guess. */
        if (allegra_table_apply(table, seat, swift_choose(glance, table, seat), shuffler, NULL) !=
            ALLEGRA_REFUSAL_NONE)
            return true;
    }
    return false;
}

double trial_play(struct trial *trial, const struct allegra_table *guessed,
                  struct allegra_answer answer, uint64_t seed)
{
    struct allegra_dice dice = allegra_dice_from(seed);
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&dice);
    struct allegra_table table = *guessed;
    struct glance glance = trial->glance;
    struct value value;

    allegra_table_apply(&table, trial->me, answer, &shuffler, NULL);
    if (trial->is_full) {
        if (table.round == guessed->round)
            swift_play_round(&table, &shuffler);
        return worth_of_end(&table, trial->me);
    }
    if (table.round == guessed->round && play_to_turn(&table, &glance, trial->me, &shuffler))
        value_look(&table, &glance, &trial->memory, &value);
    else
        value_of_totals(&table, &value);
    return worth_of_value(&value, trial->me);
}
