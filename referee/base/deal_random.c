/* A stream is a counter behind a key: each block is computed from seed, label and number alone, so
 * two streams with different labels say nothing about each other, and whoever gets the seed can
 * compute any of them again with an HMAC from any library. The struct holds the one block that is
 * being read; a new stream holds none. Numbers below a bound are drawn by rejection, because a
 * plain remainder would deal some orders of the cards more often than others. */

#include "base/chance.h"

#include "base/message.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#define WORD_VALUES (UINT64_C(1) << 32)

_Static_assert(CHANCE_SEED_BYTES == crypto_hash_sha256_BYTES, "a seed is a SHA-256");
_Static_assert(sizeof((struct chance *)0)->block == crypto_auth_hmacsha256_BYTES,
               "a block is an HMAC-SHA256");

int chance_init(void)
{
    return sodium_init() < 0 ? -1 : 0;
}

void chance_start(struct chance *chance, const uint8_t seed[CHANCE_SEED_BYTES], const char *label)
{
    size_t length = strlen(label);

    if (length > CHANCE_LABEL_MAX)
        fatal("the label of a random stream has %zu bytes; %d are allowed", length,
              CHANCE_LABEL_MAX);
    *chance = (struct chance){.next_byte = sizeof chance->block};
    memcpy(chance->seed, seed, sizeof chance->seed);
    memcpy(chance->label, label, length);
}

static void compute_block(struct chance *chance)
{
    crypto_auth_hmacsha256_state state;
    char number[24];

    snprintf(number, sizeof number, " %" PRIu64, chance->next_block);
    crypto_auth_hmacsha256_init(&state, chance->seed, sizeof chance->seed);
    crypto_auth_hmacsha256_update(&state, (const uint8_t *)chance->label, strlen(chance->label));
    crypto_auth_hmacsha256_update(&state, (const uint8_t *)number, strlen(number));
    crypto_auth_hmacsha256_final(&state, chance->block);
    chance->next_block++;
    chance->next_byte = 0;
}

uint32_t chance_next(struct chance *chance)
{
    const uint8_t *word;

    if (chance->next_byte >= sizeof chance->block)
        compute_block(chance);
    word = chance->block + chance->next_byte;
    chance->next_byte += 4;
    return (uint32_t)word[0] << 24 | (uint32_t)word[1] << 16 | (uint32_t)word[2] << 8 | word[3];
}

uint32_t chance_below(struct chance *chance, uint32_t bound)
{
    uint64_t limit;
    uint32_t word;

    if (bound == 0)
        fatal("a random number below 0 was asked for");
    limit = WORD_VALUES - WORD_VALUES % bound;
    do
        word = chance_next(chance);
    while (word >= limit);
    return word % bound;
}

void chance_shuffle(struct chance *chance, uint8_t *cards, size_t count)
{
    for (size_t i = count; i-- > 1;) {
        size_t j = chance_below(chance, (uint32_t)i + 1);
        uint8_t card = cards[i];

        cards[i] = cards[j];
        cards[j] = card;
    }
}

void chance_seed(uint8_t seed[CHANCE_SEED_BYTES])
{
    randombytes_buf(seed, CHANCE_SEED_BYTES);
}

void chance_seed_from_words(uint8_t seed[CHANCE_SEED_BYTES], const char *words)
{
    crypto_hash_sha256(seed, (const uint8_t *)words, strlen(words));
}
