#ifndef REFEREE_BASE_CHANCE_H
#define REFEREE_BASE_CHANCE_H

/* Randomness that anybody can check: a stream of numbers from a 32-byte seed and a label.
 *
 * Block i of the stream (i = 0, 1, …) is HMAC-SHA256 with the seed as key over the text
 * "LABEL i", the number in decimal. The blocks are read as big-endian 32-bit words. A number below
 * `bound` is word mod bound, where words at or above the largest multiple of bound are skipped. */

#include <stddef.h>
#include <stdint.h>

#define CHANCE_SEED_BYTES 32
#define CHANCE_LABEL_MAX 100

struct chance {
    uint8_t seed[CHANCE_SEED_BYTES];
    char label[CHANCE_LABEL_MAX + 1];
    uint8_t block[32];
    unsigned next_byte; /* of `block`; 32 when it is used up */
    uint64_t next_block;
};

/* Must be called once before anything else here. Returns 0, or -1 if the system has no randomness. */
int chance_init(void);

/* Begins the stream of `label` (at most CHANCE_LABEL_MAX bytes; a longer one is our mistake). */
void chance_start(struct chance *chance, const uint8_t seed[CHANCE_SEED_BYTES], const char *label);

uint32_t chance_next(struct chance *chance);
uint32_t chance_below(struct chance *chance, uint32_t bound);

/* Puts `count` cards into random order: for i from count - 1 down to 1, card i changes places
 * with card chance_below(i + 1). */
void chance_shuffle(struct chance *chance, uint8_t *cards, size_t count);

/* Fills a new secret seed from the system. */
void chance_seed(uint8_t seed[CHANCE_SEED_BYTES]);

/* The seed that stands for a short text of the user: SHA-256 of it. Anybody can guess such a seed. */
void chance_seed_from_words(uint8_t seed[CHANCE_SEED_BYTES], const char *words);

#endif
