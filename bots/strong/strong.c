/* Simulates the rest of the round many times and gives the answer that did best. The strategy is in
 * search.c. With `--samples N` it tries N sampled tables and ignores the clock, so that the same
 * match is always played in the same way. */

#include "kit/fields.h"
#include "kit/kit.h"
#include "strong/think.h"

#include <stdio.h>
#include <string.h>

#define SAMPLES_MAX 1000000

static long samples;

static struct allegra_answer choose(const struct allegra_view *view,
                                    const struct allegra_legal *legal, struct kit *kit)
{
    (void)view;
    (void)legal;
    return think(kit, samples > 0 ? (unsigned)samples : SAMPLES_MAX, samples == 0);
}

int main(int argc, char **argv)
{
    bool has_samples = argc == 3 && strcmp(argv[1], "--samples") == 0 &&
                       (samples = fields_number(argv[2], 1, SAMPLES_MAX, 0)) > 0;

    if (argc > 1 && !has_samples) {
        fprintf(stderr, "usage: strong [--samples N]\n");
        return 2;
    }
    return kit_run("strong", choose);
}
