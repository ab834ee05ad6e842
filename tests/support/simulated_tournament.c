/* A bot's form in a match is the log of its strength plus a Gumbel-distributed number; the bot with
 * the best form wins. That is the Plackett-Luce model. In a share of the matches the bots get the
 * numbers of their block instead of new ones. This changes nothing in a single match but makes the
 * matches of a block similar. Scores are a linear function of the form. */

#include "support/simulated_tournament.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define SCORE_BASE 50.0
#define SCORE_SLOPE 10.0
#define EULER 0.57721566490153286

double simulated_tournament_uniform(struct allegra_dice *dice)
{
    return ((double)(allegra_dice_next(dice) >> 11) + 0.5) * 0x1p-53;
}

double simulated_tournament_exponential(struct allegra_dice *dice)
{
    return -log(simulated_tournament_uniform(dice));
}

double simulated_tournament_normal(struct allegra_dice *dice)
{
    return sqrt(2 * simulated_tournament_exponential(dice)) *
           cos(2 * M_PI * simulated_tournament_uniform(dice));
}

size_t simulated_tournament_matches(const struct simulated_tournament *setup)
{
    return (size_t)setup->blocks * setup->rotations;
}

static double draw_luck(struct allegra_dice *dice)
{
    return -log(simulated_tournament_exponential(dice));
}

/* Chooses the bots that have played least, in random order among those with equal counts. */
static void choose_bots(const struct simulated_tournament *setup, unsigned *played,
                        struct allegra_dice *dice, uint16_t *chosen)
{
    for (unsigned seat = 0; seat < setup->seats; seat++) {
        double best = INFINITY;

        for (unsigned bot = 0; bot < setup->bots; bot++) {
            double rank = played[bot] + simulated_tournament_uniform(dice);
            bool is_taken = false;

            for (unsigned i = 0; i < seat; i++)
                is_taken |= chosen[i] == bot;
            if (!is_taken && rank < best) {
                best = rank;
                chosen[seat] = (uint16_t)bot;
            }
        }
    }
    for (unsigned seat = 0; seat < setup->seats; seat++)
        played[chosen[seat]]++;
}

static void decide(struct result *result, const double *form)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        double score = SCORE_BASE - SCORE_SLOPE * form[seat];
        unsigned place = 1;

        for (unsigned other = 0; other < result->seats; other++)
            place += form[other] > form[seat];
        result->places[seat] = (uint8_t)place;
        result->score_halves[seat] = (int32_t)lround(2 * score * result->rounds);
    }
}

static void play_block(const struct simulated_tournament *setup, const uint16_t *chosen,
                       struct allegra_dice *dice, struct result *results)
{
    double luck[ALLEGRA_SEATS_MAX];

    for (unsigned i = 0; i < setup->seats; i++)
        luck[i] = draw_luck(dice);
    for (unsigned match = 0; match < setup->rotations; match++) {
        struct result *result = &results[match];
        bool is_common = simulated_tournament_uniform(dice) < setup->common_luck;
        double form[ALLEGRA_SEATS_MAX];

        result->rotation = (uint16_t)match;
        result->seats = (uint8_t)setup->seats;
        result->rounds = (uint8_t)(3 + allegra_dice_below(dice, 4));
        for (unsigned seat = 0; seat < setup->seats; seat++) {
            unsigned entry = (seat + match) % setup->seats;

            result->bots[seat] = chosen[entry];
            form[seat] =
                setup->strengths[chosen[entry]] + (is_common ? luck[entry] : draw_luck(dice));
        }
        decide(result, form);
    }
}

struct result *simulated_tournament_play(const struct simulated_tournament *setup,
                                         struct allegra_dice *dice)
{
    struct result *results = xcalloc(simulated_tournament_matches(setup) + 1, sizeof *results);
    unsigned *played = xcalloc(setup->bots, sizeof *played);

    for (unsigned block = 0; block < setup->blocks; block++) {
        struct result *first = results + (size_t)block * setup->rotations;
        uint16_t chosen[ALLEGRA_SEATS_MAX] = {0};

        choose_bots(setup, played, dice, chosen);
        play_block(setup, chosen, dice, first);
        for (unsigned match = 0; match < setup->rotations; match++)
            first[match].block = block + 1;
    }
    free(played);
    return results;
}

double simulated_tournament_score(const struct simulated_tournament *setup, unsigned bot)
{
    return SCORE_BASE - SCORE_SLOPE * (setup->strengths[bot] + EULER);
}

double simulated_tournament_rating(const struct simulated_tournament *setup, unsigned bot)
{
    double mean = 0;

    for (unsigned i = 0; i < setup->bots; i++)
        mean += setup->strengths[i] / setup->bots;
    return 400 / log(10) * (setup->strengths[bot] - mean);
}
