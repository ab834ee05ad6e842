/* A bot's form in a match is the log of its strength plus a number from Gumbel's distribution; whoever
 * has the best form is first. That is the Plackett-Luce model. A share of the matches takes the
 * numbers of the block instead of new ones, which changes nothing in a single match but makes those of
 * a block alike. Scores are a linear function of the form. */

#include "support/field.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define SCORE_BASE 50.0
#define SCORE_SLOPE 10.0
#define EULER 0.57721566490153286

double field_uniform(struct allegra_dice *dice)
{
    return ((double)(allegra_dice_next(dice) >> 11) + 0.5) * 0x1p-53;
}

double field_exponential(struct allegra_dice *dice)
{
    return -log(field_uniform(dice));
}

double field_normal(struct allegra_dice *dice)
{
    return sqrt(2 * field_exponential(dice)) * cos(2 * M_PI * field_uniform(dice));
}

size_t field_matches(const struct field_setup *setup)
{
    return (size_t)setup->blocks * setup->rotations;
}

static double draw_luck(struct allegra_dice *dice)
{
    return -log(field_exponential(dice));
}

/* The bots that played least come first, in a random order among those that played alike. */
static void choose_bots(const struct field_setup *setup, unsigned *played,
                        struct allegra_dice *dice, uint16_t *chosen)
{
    for (unsigned seat = 0; seat < setup->seats; seat++) {
        double best = INFINITY;

        for (unsigned bot = 0; bot < setup->bots; bot++) {
            double rank = played[bot] + field_uniform(dice);
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

static void play_block(const struct field_setup *setup, const uint16_t *chosen,
                       struct allegra_dice *dice, struct result *results)
{
    double luck[ALLEGRA_SEATS_MAX];

    for (unsigned i = 0; i < setup->seats; i++)
        luck[i] = draw_luck(dice);
    for (unsigned match = 0; match < setup->rotations; match++) {
        struct result *result = &results[match];
        bool is_common = field_uniform(dice) < setup->common_luck;
        double form[ALLEGRA_SEATS_MAX];

        result->rotation = (uint16_t)match;
        result->seats = (uint8_t)setup->seats;
        result->rounds = (uint8_t)(3 + allegra_dice_below(dice, 4));
        for (unsigned seat = 0; seat < setup->seats; seat++) {
            unsigned who = (seat + match) % setup->seats;

            result->bots[seat] = chosen[who];
            form[seat] = setup->strengths[chosen[who]] + (is_common ? luck[who] : draw_luck(dice));
        }
        decide(result, form);
    }
}

struct result *field_play(const struct field_setup *setup, struct allegra_dice *dice)
{
    struct result *results = xcalloc(field_matches(setup) + 1, sizeof *results);
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

double field_score(const struct field_setup *setup, unsigned bot)
{
    return SCORE_BASE - SCORE_SLOPE * (setup->strengths[bot] + EULER);
}

double field_rating(const struct field_setup *setup, unsigned bot)
{
    double mean = 0;

    for (unsigned i = 0; i < setup->bots; i++)
        mean += setup->strengths[i] / setup->bots;
    return 400 / log(10) * (setup->strengths[bot] - mean);
}
