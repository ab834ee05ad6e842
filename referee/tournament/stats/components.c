/* Which bots reach each other is computed for all pairs at once, which is cheap with rows of bits.
 * Parts and tiers are named after their lowest bot, so that counts of them are arrays over bots. */

#include "tournament/stats/components.h"

#include "base/memory.h"

#include <stdlib.h>

static struct bit_matrix *connect(const struct bit_matrix *beaten)
{
    struct bit_matrix *connected = bit_matrix_copy(beaten);

    for (unsigned a = 0; a < beaten->count; a++)
        for (unsigned b = 0; b < beaten->count; b++)
            if (bit_matrix_has(beaten, a, b))
                bit_matrix_add(connected, b, a);
    bit_matrix_close(connected);
    return connected;
}

static unsigned find_tier(const struct bit_matrix *reached, unsigned bot)
{
    for (unsigned other = 0; other < bot; other++)
        if (bit_matrix_has(reached, bot, other) && bit_matrix_has(reached, other, bot))
            return other;
    return bot;
}

static void find_tiers(struct components *components, const struct bit_matrix *beaten)
{
    struct bit_matrix *connected = connect(beaten);
    struct bit_matrix *reached = bit_matrix_copy(beaten);

    bit_matrix_close(reached);
    for (unsigned bot = 0; bot < components->bots; bot++) {
        components->part[bot] = bit_matrix_next(connected, bit_matrix_row(connected, bot), 0);
        components->tier[bot] = find_tier(reached, bot);
    }
    bit_matrix_free(connected);
    bit_matrix_free(reached);
}

/* By part: its body, or `bots` if it has none. */
static unsigned *find_bodies(const struct components *components)
{
    unsigned *size = xcalloc((size_t)components->bots + 1, sizeof *size);
    unsigned *largest = xcalloc((size_t)components->bots + 1, sizeof *largest);
    unsigned *body = xcalloc((size_t)components->bots + 1, sizeof *body);

    for (unsigned bot = 0; bot < components->bots; bot++)
        size[components->tier[bot]]++;
    for (unsigned tier = 0; tier < components->bots; tier++) {
        unsigned part = components->part[tier];

        if (size[tier] > largest[part]) {
            largest[part] = size[tier];
            body[part] = tier;
        } else if (size[tier] > 0 && size[tier] == largest[part]) {
            body[part] = components->bots;
        }
    }
    free(size);
    free(largest);
    return body;
}

struct components *components_new(const struct bit_matrix *beaten)
{
    struct components *components = xcalloc(1, sizeof *components);
    size_t size = (size_t)beaten->count + 1;
    unsigned *body;

    components->bots = beaten->count;
    components->part = xcalloc(size, sizeof *components->part);
    components->tier = xcalloc(size, sizeof *components->tier);
    components->is_broken = xcalloc(size, sizeof *components->is_broken);
    components->is_outside = xcalloc(size, sizeof *components->is_outside);
    find_tiers(components, beaten);
    body = find_bodies(components);
    /* A part has the same name as the tier of its lowest bot. */
    for (unsigned bot = 0; bot < components->bots; bot++) {
        components->is_broken[components->part[bot]] |=
            components->tier[bot] != components->part[bot];
        components->is_outside[bot] = components->tier[bot] != body[components->part[bot]];
    }
    for (unsigned bot = 0; bot < components->bots; bot++)
        components->is_broken[bot] = components->is_broken[components->part[bot]];
    free(body);
    return components;
}

void components_free(struct components *components)
{
    if (components == NULL)
        return;
    free(components->part);
    free(components->tier);
    free(components->is_broken);
    free(components->is_outside);
    free(components);
}

void components_centre(const struct components *components, double *strengths)
{
    struct mean {
        double all;
        double body;
        unsigned all_count;
        unsigned body_count;
    } *means = xcalloc((size_t)components->bots + 1, sizeof *means);

    for (unsigned bot = 0; bot < components->bots; bot++) {
        struct mean *mean = &means[components->part[bot]];

        mean->all += strengths[bot];
        mean->all_count++;
        mean->body += components->is_outside[bot] ? 0 : strengths[bot];
        mean->body_count += !components->is_outside[bot];
    }
    for (unsigned bot = 0; bot < components->bots; bot++) {
        const struct mean *mean = &means[components->part[bot]];

        strengths[bot] -=
            mean->body_count > 0 ? mean->body / mean->body_count : mean->all / mean->all_count;
    }
    free(means);
}
