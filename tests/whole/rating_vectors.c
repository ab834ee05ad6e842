/* Reads matches as tests/plackett_luce.py does and prints the referee's ratings in the same form.
 * If both are right, they print the same. */

#include "base/memory.h"
#include "base/message.h"
#include "tournament/stats/rating.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATCHES_MAX 10000

static void read_match(const char *words, struct result *result)
{
    int length = 0;

    *result = (struct result){.rounds = 1};
    if (sscanf(words, "match %u%n", &result->block, &length) != 1)
        fatal("not a match: %s", words);
    for (words += length; result->seats < ALLEGRA_SEATS_MAX; words += length) {
        unsigned bot;
        unsigned place;

        if (sscanf(words, " %u:%u%n", &bot, &place, &length) != 2)
            return;
        result->bots[result->seats] = (uint16_t)bot;
        result->places[result->seats++] = (uint8_t)place;
    }
}

static void print_ratings(const struct result *results, size_t count, unsigned bots)
{
    struct rating_input input = {
        .results = results, .count = count, .bots = bots, .bootstraps = RATING_BOOTSTRAPS_LEAST};
    struct ratings *ratings = ratings_new(&input);

    for (unsigned bot = 0; bot < bots; bot++) {
        printf("bot %u ", bot);
        if (isnan(ratings->of[bot].points))
            printf("nan");
        else
            printf("%.9f", ratings->of[bot].points);
        printf(" %s\n", ratings->of[bot].is_unbeaten ? "unbeaten" : "body");
    }
    ratings_free(ratings);
}

int main(void)
{
    struct result *results = xcalloc(MATCHES_MAX, sizeof *results);
    size_t count = 0;
    unsigned bots = 0;
    char line[1024];

    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "field %u", &bots) == 1)
            count = 0;
        else if (strncmp(line, "match ", 6) == 0 && count < MATCHES_MAX)
            read_match(line, &results[count++]);
        else if (strncmp(line, "end", 3) == 0)
            print_ratings(results, count, bots);
    }
    free(results);
    return 0;
}
