/* Tries each answer on many sampled tables and gives the one that did best. The strategy is in
 * search.c. With `--samples N` it tries N sampled tables and ignores the clock, so that the same
 * match is always played in the same way. With `--full` it plays each game to the end of the round
 * and does not use the value function: this is how it played before there was one, and what its
 * strength is measured against. */

#include "kit/fields.h"
#include "kit/kit.h"
#include "strong/think.h"

#include <stdio.h>
#include <string.h>

#define SAMPLES_MAX 1000000

static struct think_terms terms = {.samples = SAMPLES_MAX, .is_timed = true};

static struct allegra_answer choose(const struct allegra_view *view,
                                    const struct allegra_legal *legal, struct kit *kit)
{
    (void)view;
    (void)legal;
    return think(kit, &terms);
}

/* Returns how many arguments it has read; 0 if it does not know the first. */
static int read_option(char **arguments)
{
    long samples;

    if (strcmp(arguments[0], "--full") == 0) {
        terms.is_full = true;
        return 1;
    }
    if (strcmp(arguments[0], "--samples") != 0 || arguments[1] == NULL)
        return 0;
    samples = fields_number(arguments[1], 1, SAMPLES_MAX, 0);
    terms.samples = (unsigned)samples;
    terms.is_timed = false;
    return samples > 0 ? 2 : 0;
}

int main(int argc, char **argv)
{
    for (int i = 1, read; i < argc; i += read) {
        read = read_option(argv + i);
        if (read > 0)
            continue;
        fprintf(stderr, "usage: strong [--samples N] [--full]\n");
        return 2;
    }
    return kit_run("strong", choose);
}
