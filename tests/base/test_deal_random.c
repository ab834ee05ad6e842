/* The streams against figures that were computed elsewhere (tests/deal.py computes them again),
 * and against what a fair draw must look like. tests/whole/deal_vectors.sh compares many more. */

#include "base/deal_random.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <string.h>

#define SHUFFLES 60000

static struct deal_random stream_of(const char *words, const char *label)
{
    uint8_t seed[DEAL_RANDOM_SEED_BYTES];
    struct deal_random random;

    cr_assert_eq(deal_random_init(), 0);
    deal_random_seed_from_text(seed, words);
    deal_random_start(&random, seed, label);
    return random;
}

Test(deal_random, the_seed_of_a_text_is_its_sha256)
{
    static const uint8_t expected[DEAL_RANDOM_SEED_BYTES] = {
        0x73, 0x47, 0x5c, 0xb4, 0x0a, 0x56, 0x8e, 0x8d, 0xa8, 0xa0, 0x45,
        0xce, 0xd1, 0x10, 0x13, 0x7e, 0x15, 0x9f, 0x89, 0x0a, 0xc4, 0xda,
        0x88, 0x3b, 0x6b, 0x17, 0xdc, 0x65, 0x1b, 0x3a, 0x80, 0x49,
    };
    uint8_t seed[DEAL_RANDOM_SEED_BYTES];

    deal_random_seed_from_text(seed, "42");
    cr_assert_arr_eq(seed, expected, sizeof expected);
}

Test(deal_random, the_words_of_a_stream_are_those_of_its_blocks)
{
    static const uint32_t expected[] = {0xfda6edda, 0xbe1a990e, 0xdf25e625, 0xf88590c6, 0x556f56fe,
                                        0x794de228, 0xd2375133, 0xd6bb31be, 0x7c0be773, 0x5b8f3338};
    struct deal_random random = stream_of("42", "round 1");

    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        cr_assert_eq(deal_random_next(&random), expected[i], "word %zu", i);
}

Test(deal_random, words_past_the_last_whole_multiple_are_skipped)
{
    static const uint32_t expected[] = {1433360126, 2035147304, 2081154931, 1536111416};
    struct deal_random random = stream_of("42", "round 1");

    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        cr_assert_eq(deal_random_below(&random, 0x80000001), expected[i], "number %zu", i);
}

Test(deal_random, a_shuffle_is_the_one_that_its_stream_says)
{
    static const uint8_t expected[20] = {18, 10, 5, 8,  12, 3,  13, 6,  11, 0,
                                         4,  7,  2, 16, 15, 19, 9,  17, 1,  14};
    struct deal_random random = stream_of("42", "round 1");
    uint8_t cards[20];

    for (size_t i = 0; i < sizeof cards; i++)
        cards[i] = (uint8_t)i;
    deal_random_shuffle(&random, cards, sizeof cards);
    cr_assert_arr_eq(cards, expected, sizeof cards);
}

Test(deal_random, a_shuffle_of_nothing_or_of_one_card_draws_nothing)
{
    struct deal_random random = stream_of("42", "round 1");
    uint8_t card = 7;

    deal_random_shuffle(&random, NULL, 0);
    deal_random_shuffle(&random, &card, 1);
    cr_assert_eq(card, 7);
    cr_assert_eq(deal_random_next(&random), 0xfda6edda);
}

Test(deal_random, labels_and_seeds_give_streams_of_their_own)
{
    struct deal_random random = stream_of("42", "round 1");
    struct deal_random other_label = stream_of("42", "round 2");
    struct deal_random other_seed = stream_of("43", "round 1");
    struct deal_random copy = random;
    uint32_t word = deal_random_next(&random);

    cr_assert_eq(deal_random_next(&copy), word);
    cr_assert_neq(deal_random_next(&other_label), word);
    cr_assert_neq(deal_random_next(&other_seed), word);
}

Test(deal_random, all_orders_of_four_cards_come_equally_often)
{
    struct deal_random random = stream_of("orders", "all");
    unsigned counts[256] = {0};
    unsigned orders = 0;
    double excess = 0;

    for (int i = 0; i < SHUFFLES; i++) {
        uint8_t cards[4] = {0, 1, 2, 3};

        deal_random_shuffle(&random, cards, 4);
        counts[cards[0] << 6 | cards[1] << 4 | cards[2] << 2 | cards[3]]++;
    }
    for (size_t i = 0; i < ARRAY_LEN(counts); i++)
        if (counts[i] > 0) {
            double difference = counts[i] - SHUFFLES / 24.0;

            orders++;
            excess += difference * difference / (SHUFFLES / 24.0);
        }
    cr_assert_eq(orders, 24);
    /* Chi-square with 23 degrees of freedom is above 49.7 once in a thousand seeds. */
    cr_assert_lt(excess, 49.7, "chi-square is %f", excess);
}

Test(deal_random, new_seeds_differ)
{
    uint8_t one[DEAL_RANDOM_SEED_BYTES] = {0}, other[DEAL_RANDOM_SEED_BYTES] = {0};

    cr_assert_eq(deal_random_init(), 0);
    deal_random_seed(one);
    deal_random_seed(other);
    cr_assert_neq(memcmp(one, other, sizeof one), 0);
}

Test(deal_random, the_longest_label_is_taken)
{
    char label[DEAL_RANDOM_LABEL_MAX + 1] = "";
    struct deal_random random;

    memset(label, 'x', DEAL_RANDOM_LABEL_MAX);
    random = stream_of("42", label);
    cr_assert_str_eq(random.label, label);
}

Test(deal_random, a_longer_label_is_fatal, .exit_code = 70)
{
    char label[DEAL_RANDOM_LABEL_MAX + 2] = "";

    memset(label, 'x', DEAL_RANDOM_LABEL_MAX + 1);
    stream_of("42", label);
}
