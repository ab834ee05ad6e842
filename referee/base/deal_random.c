/* A stream is a counter behind a key: each block is computed from seed, label and number alone, so
 * two streams with different labels say nothing about each other, and whoever gets the seed can
 * compute any of them again with an HMAC from any library. The struct holds the one block that is
 * being read; a new stream holds none. Numbers below a bound are drawn by rejection, because a
 * plain remainder would deal some orders of the cards more often than others. */

#include "base/deal_random.h"

#include "base/message.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define WORD_VALUES (UINT64_C(1) << 32)

_Static_assert(DEAL_RANDOM_SEED_BYTES == crypto_hash_sha256_BYTES, "a seed is a SHA-256");
_Static_assert(sizeof((struct deal_random *)0)->block == crypto_auth_hmacsha256_BYTES,
               "a block is an HMAC-SHA256");

int deal_random_init(void)
{
    return sodium_init() < 0 ? -1 : 0;
}

void deal_random_start(struct deal_random *random, const uint8_t seed[DEAL_RANDOM_SEED_BYTES],
                       const char *label)
{
    size_t length = strlen(label);

    if (length > DEAL_RANDOM_LABEL_MAX)
        fatal("the label of a random stream has %zu bytes; %d are allowed", length,
              DEAL_RANDOM_LABEL_MAX);
    *random = (struct deal_random){.next_byte = sizeof random->block};
    memcpy(random->seed, seed, sizeof random->seed);
    memcpy(random->label, label, length);
}

static void compute_block(struct deal_random *random)
{
    crypto_auth_hmacsha256_state state;
    char number[24];

    snprintf(number, sizeof number, " %" PRIu64, random->next_block);
    crypto_auth_hmacsha256_init(&state, random->seed, sizeof random->seed);
    crypto_auth_hmacsha256_update(&state, (const uint8_t *)random->label, strlen(random->label));
    crypto_auth_hmacsha256_update(&state, (const uint8_t *)number, strlen(number));
    crypto_auth_hmacsha256_final(&state, random->block);
    random->next_block++;
    random->next_byte = 0;
}

uint32_t deal_random_next(struct deal_random *random)
{
    const uint8_t *word;

    if (random->next_byte >= sizeof random->block)
        compute_block(random);
    word = random->block + random->next_byte;
    random->next_byte += 4;
    return (uint32_t)word[0] << 24 | (uint32_t)word[1] << 16 | (uint32_t)word[2] << 8 | word[3];
}

uint32_t deal_random_below(struct deal_random *random, uint32_t bound)
{
    uint64_t limit;
    uint32_t word;

    if (bound == 0)
        fatal("a random number below 0 was asked for");
    limit = WORD_VALUES - WORD_VALUES % bound;
    do
        word = deal_random_next(random);
    while (word >= limit);
    return word % bound;
}

void deal_random_shuffle(struct deal_random *random, uint8_t *cards, size_t count)
{
    for (size_t i = count; i-- > 1;) {
        size_t j = deal_random_below(random, (uint32_t)i + 1);
        uint8_t card = cards[i];

        cards[i] = cards[j];
        cards[j] = card;
    }
}

void deal_random_seed(uint8_t seed[DEAL_RANDOM_SEED_BYTES])
{
    randombytes_buf(seed, DEAL_RANDOM_SEED_BYTES);
}

void deal_random_seed_from_text(uint8_t seed[DEAL_RANDOM_SEED_BYTES], const char *text)
{
    crypto_hash_sha256(seed, (const uint8_t *)text, strlen(text));
}
