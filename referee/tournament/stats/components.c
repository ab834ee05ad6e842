/* Reaching is worked out for all pairs at once, which is cheap with rows of bits. Parts and tiers are
 * named by their lowest bot, so that counts of them are arrays over bots. */

#include "tournament/parts.h"

#include "base/memory.h"

#include <stdlib.h>

static struct relation *connect(const struct relation *beaten)
{
    struct relation *connected = relation_copy(beaten);

    for (unsigned a = 0; a < beaten->count; a++)
        for (unsigned b = 0; b < beaten->count; b++)
            if (relation_has(beaten, a, b))
                relation_add(connected, b, a);
    relation_close(connected);
    return connected;
}

static unsigned find_tier(const struct relation *reached, unsigned bot)
{
    for (unsigned other = 0; other < bot; other++)
        if (relation_has(reached, bot, other) && relation_has(reached, other, bot))
            return other;
    return bot;
}

static void find_tiers(struct parts *parts, const struct relation *beaten)
{
    struct relation *connected = connect(beaten);
    struct relation *reached = relation_copy(beaten);

    relation_close(reached);
    for (unsigned bot = 0; bot < parts->bots; bot++) {
        parts->part[bot] = relation_next(connected, relation_row(connected, bot), 0);
        parts->tier[bot] = find_tier(reached, bot);
    }
    relation_free(connected);
    relation_free(reached);
}

/* By part: its body, `bots` if it has none. */
static unsigned *find_bodies(const struct parts *parts)
{
    unsigned *size = xcalloc((size_t)parts->bots + 1, sizeof *size);
    unsigned *largest = xcalloc((size_t)parts->bots + 1, sizeof *largest);
    unsigned *body = xcalloc((size_t)parts->bots + 1, sizeof *body);

    for (unsigned bot = 0; bot < parts->bots; bot++)
        size[parts->tier[bot]]++;
    for (unsigned tier = 0; tier < parts->bots; tier++) {
        unsigned part = parts->part[tier];

        if (size[tier] > largest[part]) {
            largest[part] = size[tier];
            body[part] = tier;
        } else if (size[tier] > 0 && size[tier] == largest[part]) {
            body[part] = parts->bots;
        }
    }
    free(size);
    free(largest);
    return body;
}

struct parts *parts_new(const struct relation *beaten)
{
    struct parts *parts = xcalloc(1, sizeof *parts);
    size_t room = (size_t)beaten->count + 1;
    unsigned *body;

    parts->bots = beaten->count;
    parts->part = xcalloc(room, sizeof *parts->part);
    parts->tier = xcalloc(room, sizeof *parts->tier);
    parts->is_broken = xcalloc(room, sizeof *parts->is_broken);
    parts->is_outside = xcalloc(room, sizeof *parts->is_outside);
    find_tiers(parts, beaten);
    body = find_bodies(parts);
    /* A part is named by its lowest bot, and so is that bot's tier. */
    for (unsigned bot = 0; bot < parts->bots; bot++) {
        parts->is_broken[parts->part[bot]] |= parts->tier[bot] != parts->part[bot];
        parts->is_outside[bot] = parts->tier[bot] != body[parts->part[bot]];
    }
    for (unsigned bot = 0; bot < parts->bots; bot++)
        parts->is_broken[bot] = parts->is_broken[parts->part[bot]];
    free(body);
    return parts;
}

void parts_free(struct parts *parts)
{
    if (parts == NULL)
        return;
    free(parts->part);
    free(parts->tier);
    free(parts->is_broken);
    free(parts->is_outside);
    free(parts);
}

void parts_centre(const struct parts *parts, double *strengths)
{
    struct mean {
        double all;
        double body;
        unsigned all_count;
        unsigned body_count;
    } *means = xcalloc((size_t)parts->bots + 1, sizeof *means);

    for (unsigned bot = 0; bot < parts->bots; bot++) {
        struct mean *mean = &means[parts->part[bot]];

        mean->all += strengths[bot];
        mean->all_count++;
        mean->body += parts->is_outside[bot] ? 0 : strengths[bot];
        mean->body_count += !parts->is_outside[bot];
    }
    for (unsigned bot = 0; bot < parts->bots; bot++) {
        const struct mean *mean = &means[parts->part[bot]];

        strengths[bot] -=
            mean->body_count > 0 ? mean->body / mean->body_count : mean->all / mean->all_count;
    }
    free(means);
}
