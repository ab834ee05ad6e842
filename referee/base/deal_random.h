#ifndef REFEREE_BASE_DEAL_RANDOM_H
#define REFEREE_BASE_DEAL_RANDOM_H

/* Randomness that anybody can check: a stream of numbers from a 32-byte seed and a label.
 *
 * Block i of the stream (i = 0, 1, …) is HMAC-SHA256 with the seed as key over the text
 * "LABEL i", the number in decimal. The blocks are read as big-endian 32-bit words. A number below
 * `bound` is word mod bound, where words at or above the largest multiple of bound are skipped. */

#include <stddef.h>
#include <stdint.h>

#define DEAL_RANDOM_SEED_BYTES 32
#define DEAL_RANDOM_LABEL_MAX 100

struct deal_random {
    uint8_t seed[DEAL_RANDOM_SEED_BYTES];
    char label[DEAL_RANDOM_LABEL_MAX + 1];
    uint8_t block[32];
    unsigned next_byte; /* of `block`; 32 when it is used up */
    uint64_t next_block;
};

/* Must be called once before anything else here. Returns 0, or -1 if the system has no
 * randomness. */
int deal_random_init(void);

/* Begins the stream of `label` (at most DEAL_RANDOM_LABEL_MAX bytes; a longer one is our
 * mistake). */
void deal_random_start(struct deal_random *random, const uint8_t seed[DEAL_RANDOM_SEED_BYTES],
                       const char *label);

uint32_t deal_random_next(struct deal_random *random);
uint32_t deal_random_below(struct deal_random *random, uint32_t bound);

/* Puts `count` cards into random order: for i from count - 1 down to 1, card i changes places
 * with card deal_random_below(i + 1). */
void deal_random_shuffle(struct deal_random *random, uint8_t *cards, size_t count);

/* Fills a new secret seed from the system. */
void deal_random_seed(uint8_t seed[DEAL_RANDOM_SEED_BYTES]);

/* The seed that stands for a short text of the user: SHA-256 of it. Anybody can guess such a
 * seed. */
void deal_random_seed_from_text(uint8_t seed[DEAL_RANDOM_SEED_BYTES], const char *text);

#endif
