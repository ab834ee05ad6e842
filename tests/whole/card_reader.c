/* A cheat: `greedy` with a look at the cards. Somebody gave it the file `master` of a tournament's
 * store, from which the seeds of all deals are derived: card_reader MASTER.
 *
 * The number that a match gives to each seat comes from the same seed as its cards. So the cheat
 * tries deal after deal until that number fits. */

#include "base/deal_random.h"
#include "greedy/policy.h"
#include "kit/kit.h"
#include "strong/guess.h"
#include "support/card_peeker.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define DEALS_MAX 10000

static unsigned char master[crypto_auth_hmacsha256_KEYBYTES];
static uint8_t seed[DEAL_RANDOM_SEED_BYTES];
static bool is_known; /* the seed of this match */

static uint64_t rng_of(unsigned seat)
{
    struct deal_random random;
    char label[20];
    uint64_t high;

    snprintf(label, sizeof label, "rng %u", seat);
    deal_random_start(&random, seed, label);
    high = deal_random_next(&random);
    return high << 32 | deal_random_next(&random);
}

/* Finds the deal whose number for this seat has made the kit's dice, which are still unused. */
static void find_seed(const struct kit *kit)
{
    for (unsigned deal = 1; deal <= DEALS_MAX && !is_known; deal++) {
        struct allegra_dice dice;
        char label[32];
        int length = snprintf(label, sizeof label, "deal %u", deal);

        crypto_auth_hmacsha256(seed, (const unsigned char *)label, (unsigned long long)length,
                               master);
        dice = allegra_dice_from(rng_of(kit->view.me));
        is_known = memcmp(&dice, &kit->dice, sizeof dice) == 0;
    }
}

static void shuffle(void *context, unsigned round, unsigned reshuffle, int8_t *cards,
                    unsigned count)
{
    const struct allegra_view *view = context;
    struct deal_random random;
    char label[40];

    (void)round;
    snprintf(label, sizeof label, "deal %u %u", view->round, reshuffle);
    deal_random_start(&random, seed, label);
    deal_random_shuffle(&random, (uint8_t *)cards, count);
}

/* Makes the hidden cards of a guessed table true: those that have not moved since they were dealt
 * are where the deal put them. Returns false after a reshuffle, which makes the draw pile larger
 * than it was. */
static bool look(const struct allegra_view *view, struct allegra_table *table)
{
    struct allegra_shuffler shuffler = {shuffle, (void *)view};
    static unsigned round, least;
    struct allegra_table dealt;

    allegra_table_start(&dealt, &view->rules, view->seats, view->dealer, &shuffler, NULL);
    least = round != view->round ? dealt.draw_count : least;
    round = view->round;
    if (view->draw_count > least)
        return false;
    least = view->draw_count;
    memcpy(table->pile, dealt.pile, least);
    for (unsigned seat = 0; seat < view->seats; seat++) {
        for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
            uint64_t mask = table->down[seat] >> cell & 1 ? UINT64_C(15) << 4 * cell : 0;

            table->codes[seat] = (table->codes[seat] & ~mask) | (dealt.codes[seat] & mask);
        }
    }
    return true;
}

static struct allegra_answer choose(const struct allegra_view *view,
                                    const struct allegra_legal *legal, struct kit *kit)
{
    struct odds odds = kit_odds(kit);
    struct allegra_answer honest = policy_choose(view, legal, &odds);
    struct knowledge knowledge = {view, kit->discards, kit->discard_count};
    struct allegra_dice dice = allegra_dice_from(1);
    struct allegra_table table;
    struct guess guess;

    find_seed(kit);
    if (!is_known)
        return honest;
    guess_start(&guess, &knowledge);
    guess_deal(&guess, &dice, &table);
    return look(view, &table) ? card_peeker_choose(&table, view->me, honest) : honest;
}

int main(int argc, char **argv)
{
    char hex[2 * sizeof master + 1] = "";
    FILE *file = argc > 1 ? fopen(argv[1], "re") : NULL;
    bool is_read = file != NULL && fgets(hex, sizeof hex, file) != NULL;

    if (file != NULL)
        (void)fclose(file);
    if (!is_read || sodium_init() < 0 ||
        sodium_hex2bin(master, sizeof master, hex, strlen(hex), NULL, NULL, NULL) != 0) {
        fputs("usage: card_reader MASTER\n", stderr);
        return 2;
    }
    return kit_run("card_reader", choose);
}
