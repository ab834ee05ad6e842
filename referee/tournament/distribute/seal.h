#ifndef REFEREE_TOURNAMENT_DISTRIBUTE_SEAL_H
#define REFEREE_TOURNAMENT_DISTRIBUTE_SEAL_H

/* What coordinators and workers send each other is sealed with a key that both have: nobody else
 * can read it, change it or make it. A job server has no users of its own, so whoever reaches it
 * may ask for jobs and answer them. */

#include "base/text.h"

#include <stddef.h>

#define SEAL_KEY_BYTES 32
#define SEAL_NAME_HEX 17

struct seal_key {
    unsigned char secret[SEAL_KEY_BYTES]; /* for HMAC-SHA256 */
    unsigned char cipher[SEAL_KEY_BYTES];
    char name[SEAL_NAME_HEX]; /* tells keys apart; nothing else can be found out from it */
};

/* Makes a key of the text in a file, 16 to 4096 bytes that only its owner can read. Returns 0, or
 * -1 with one sentence. */
int seal_key_read(struct seal_key *key, const char *path, struct text *problem);

/* What a sealed text is for: one kind is never taken for another. */
enum seal_kind {
    SEAL_TASK,
    SEAL_SIGN, /* of life, while a block is played */
    SEAL_RESULT,
    SEAL_REQUEST, /* for files */
    SEAL_FILES,
};

/* Seals bytes. Free it. */
char *seal_close(const struct seal_key *key, enum seal_kind kind, struct span bytes,
                 size_t *length);

/* The bytes in a sealed text, with a '\0' after them; free them. NULL if it was not made with this
 * key for this purpose. */
char *seal_open(const struct seal_key *key, enum seal_kind kind, struct span sealed,
                size_t *length);

/* SHA-256 in hexadecimal digits. */
#define SEAL_HASH_HEX 65
void seal_hash(struct span bytes, char hex[SEAL_HASH_HEX]);

#endif
