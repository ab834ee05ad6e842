/* Reads the vectors that tests/deal.py prints, takes only the lines `words TEXT` and `label TEXT`
 * of each, and prints the whole vector again from its own streams. If both are right, what comes
 * out is what went in. */

#include "base/deal_random.h"
#include "base/message.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WORDS 20
#define CARDS 120

static const uint32_t bounds[] = {1,   2,       3,          6,          10,         94,        120,
                                  256, 1000003, 0x80000000, 0x80000001, 0xc0000000, 0xffffffff};

static void print_seed(const uint8_t *seed)
{
    printf("seed ");
    for (size_t i = 0; i < DEAL_RANDOM_SEED_BYTES; i++)
        printf("%02x", seed[i]);
    printf("\n");
}

static void print_next(struct deal_random random)
{
    printf("next");
    for (int i = 0; i < WORDS; i++)
        printf(" %08" PRIx32, deal_random_next(&random));
    printf("\n");
}

static void print_below(struct deal_random random, uint32_t bound)
{
    printf("below_%" PRIu32, bound);
    for (int i = 0; i < WORDS; i++)
        printf(" %" PRIu32, deal_random_below(&random, bound));
    printf("\n");
}

static void print_mixed(struct deal_random random)
{
    printf("below");
    for (size_t i = 0; i < ARRAY_LEN(bounds); i++)
        printf(" %" PRIu32, deal_random_below(&random, bounds[i]));
    printf("\n");
}

static void print_shuffle(struct deal_random random)
{
    uint8_t cards[CARDS];

    for (uint8_t i = 0; i < CARDS; i++)
        cards[i] = i;
    deal_random_shuffle(&random, cards, CARDS);
    printf("shuffle");
    for (int i = 0; i < CARDS; i++)
        printf(" %d", cards[i]);
    printf("\n");
}

static void print_vector(const char *words, const char *label)
{
    uint8_t seed[DEAL_RANDOM_SEED_BYTES];
    struct deal_random random;

    deal_random_seed_from_text(seed, words);
    deal_random_start(&random, seed, label);
    printf("words %s\nlabel %s\n", words, label);
    print_seed(seed);
    print_next(random);
    print_mixed(random);
    for (size_t i = 0; i < ARRAY_LEN(bounds); i++)
        print_below(random, bounds[i]);
    print_shuffle(random);
}

int main(void)
{
    char line[4096];
    char words[sizeof line] = "";

    if (deal_random_init() != 0)
        fatal("the system has no randomness");
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "words ", 6) == 0)
            memcpy(words, line + 6, strlen(line + 6) + 1);
        if (strncmp(line, "label ", 6) == 0)
            print_vector(words, line + 6);
    }
    return 0;
}
