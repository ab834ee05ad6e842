/* Bargains about each drawn card for a deal from which both sides gain. The strategy is in
 * negotiate.c. With `--samples N` it tries N sampled tables and ignores the clock, so that the same
 * match is always played in the same way. */

#include "kit/fields.h"
#include "negotiator/negotiate.h"

#include <stdio.h>
#include <string.h>

#define LIGHT_SAMPLES 60
#define SAMPLES_MAX 1000000

static struct negotiation negotiation = {.samples = LIGHT_SAMPLES, .is_timed = true};

static struct allegra_answer choose(const struct allegra_view *view,
                                    const struct allegra_legal *legal, struct kit *kit)
{
    (void)view;
    (void)legal;
    return negotiate(&negotiation, kit);
}

int main(int argc, char **argv)
{
    long samples = 0;
    bool has_samples = argc == 3 && strcmp(argv[1], "--samples") == 0 &&
                       (samples = fields_number(argv[2], 1, SAMPLES_MAX, 0)) > 0;

    if (argc > 1 && !has_samples) {
        fprintf(stderr, "usage: negotiator [--samples N]\n");
        return 2;
    }
    if (has_samples)
        negotiation = (struct negotiation){.samples = (unsigned)samples};
    return kit_run("negotiator", choose);
}
