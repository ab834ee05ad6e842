/* A bot that was dismissed gets the worst score at the table, its own included, which the autopilot
 * has played on. */

#include "tournament/store/result.h"

#include <math.h>

#define POINT_PARTS 1000
#define WIN_PARTS 1000000

static int32_t parts_of(double value, double parts)
{
    return (int32_t)lround(fmin(fmax(value * parts, -RESULT_LUCK_MAX), RESULT_LUCK_MAX));
}

struct result_luck result_luck_of(const struct luck_sum *sum)
{
    return (struct result_luck){
        .points = parts_of(sum->points, POINT_PARTS),
        .wins = parts_of(sum->wins, WIN_PARTS),
        .choice = parts_of(sum->choice, POINT_PARTS),
        .choice_spread =
            parts_of((sum->choice_squares + 2 * sum->choice_variance) / 3, POINT_PARTS),
    };
}

void result_take(struct result *result, const struct match *match)
{
    const struct allegra_table *table = match_table(match);
    int32_t worst = table->total_halves[0];

    for (unsigned seat = 1; seat < result->seats; seat++) {
        if (table->total_halves[seat] > worst)
            worst = table->total_halves[seat];
    }
    result->rounds = table->round;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        result->faults[seat] = (uint8_t)match_fault(match, seat);
        result->places[seat] = match_places(match)[seat];
        result->score_halves[seat] =
            result->faults[seat] == BOT_ANSWERED ? table->total_halves[seat] : worst;
    }
    result->has_luck = match_luck(match) != NULL;
    result->luck_version = result->has_luck ? LUCK_VERSION : 0;
    for (unsigned seat = 0; seat < result->seats && result->has_luck; seat++)
        result->luck[seat] = result_luck_of(&match_luck(match)->of[seat]);
}

double result_points(const struct result *result, unsigned seat, bool is_adjusted)
{
    double luck = is_adjusted ? (double)result->luck[seat].points / POINT_PARTS : 0;

    return (double)result->score_halves[seat] / 2 - luck;
}

double result_win(const struct result *result, unsigned seat, bool is_adjusted)
{
    double luck = is_adjusted ? (double)result->luck[seat].wins / WIN_PARTS : 0;
    unsigned winners = 0;

    for (unsigned i = 0; i < result->seats; i++)
        winners += result->places[i] == 1;
    return (result->places[seat] == 1 ? 1.0 / winners : 0) - luck;
}
