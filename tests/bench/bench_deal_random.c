/* Measures shuffles of 120 cards from the random stream of deals. */

#include "base/deal_random.h"
#include "base/clock.h"

#include <stdio.h>
#include <string.h>

#define CARDS 120
#define RUN_US 1000000

static double shuffles_per_s(void)
{
    static const uint8_t seed[DEAL_RANDOM_SEED_BYTES];
    uint8_t cards[CARDS] = {0};
    struct deal_random random;
    int64_t start_us = clock_now_us();
    int64_t now_us = start_us;
    long shuffles = 0;

    deal_random_start(&random, seed, "bench");
    while (now_us < start_us + RUN_US) {
        for (int i = 0; i < 100; i++)
            deal_random_shuffle(&random, cards, CARDS);
        shuffles += 100;
        now_us = clock_now_us();
    }
    return (double)shuffles * 1e6 / (double)(now_us - start_us);
}

int main(int argc, char **argv)
{
    static const char name[] = "deal_random.shuffles_per_s";
    const char *only = argc > 1 ? argv[1] : "";

    if (strncmp(name, only, strlen(only)) != 0)
        return 0;
    if (deal_random_init() != 0)
        return 1;
    printf("bench %s %.0f shuffles/s\n", name, shuffles_per_s());
    return 0;
}
