/* Reads any bytes as a log, with the right hash appended, because a wrong hash would end most
 * attempts early. */

#include "match/replay.h"
#include "support/json_mutate.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return json_mutate(data, size, most, seed);
}

static char *with_hash(const uint8_t *data, size_t size, size_t *length)
{
    char *bytes = malloc(size + 100);
    unsigned char hash[crypto_hash_sha256_BYTES];
    char hex[LOG_RECORD_HASH_HEX];

    if (bytes == NULL || deal_random_init() != 0)
        abort();
    memcpy(bytes, data, size);
    crypto_hash_sha256(hash, data, size);
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    *length = size + (size_t)snprintf(bytes + size, 100, "{\"sha256\":\"%s\"}\n", hex);
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t length;
    char *bytes = with_hash(data, size, &length);
    char message[1300];
    struct text problem;
    struct replay *replay;

    text_start(&problem, message, sizeof message);
    replay = replay_read(bytes, length, NULL, NULL, &problem);
    while (replay != NULL && replay_next(replay, &problem) > 0)
        continue;
    if (replay == NULL && problem.length == 0)
        abort();
    replay_free(replay);
    free(bytes);
    return 0;
}
