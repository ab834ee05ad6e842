/* Straight lines and a table: a search asks for these all the time. */

#include "value/estimate.h"

#include "game/allegra.h"

/* Found by playing against variations of itself. */
#define END_BONUS (6 * ESTIMATE_POINT)      /* for ending a round with the lowest score */
#define SPREAD (3 * ESTIMATE_POINT)         /* of a rival's score, without down cards */
#define SPREAD_OF_DOWN (3 * ESTIMATE_POINT) /* of one down card */
#define SLOPE 102          /* of the chance to be lower, for a difference of one spread */
#define PATIENT_TURNS 25   /* turns of each player after which patience fades */
#define IMPATIENT_TURNS 50 /* … and is gone */

int estimate_patience(int turns)
{
    int left = (IMPATIENT_TURNS - turns) * ESTIMATE_CERTAIN / (IMPATIENT_TURNS - PATIENT_TURNS);

    return estimate_lower(estimate_higher(left, 0), ESTIMATE_CERTAIN);
}

int estimate_spread(unsigned down)
{
    static const int root_16ths[ALLEGRA_CELL_COUNT + 1] = {0,  16, 23, 28, 32, 36, 39, 42,
                                                           45, 48, 51, 53, 55, 58, 60, 62};

    return SPREAD + SPREAD_OF_DOWN * root_16ths[down] / 16;
}

int estimate_chance_below(int score, int expected, int spread)
{
    int chance = ESTIMATE_CERTAIN / 2 + SLOPE * (score - expected) / spread;

    return estimate_lower(estimate_higher(chance, 0), ESTIMATE_CERTAIN);
}

int estimate_risk(int score, int success, int patience)
{
    int risk = estimate_share(estimate_higher(score, 0), ESTIMATE_CERTAIN - success);

    return estimate_share(risk, patience) - estimate_share(END_BONUS, success);
}
