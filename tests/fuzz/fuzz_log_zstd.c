/* Compressed logs, of two kinds. If the first byte is even, the others are the file: whatever it
 * claims, it becomes at most so many bytes, or a sentence. If it is odd, the others are a log: once
 * compressed it comes back as it was, and of a file that is cut off there is the beginning. */

#include "match/log_zstd.h"
#include "match/replay.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MOST 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool is_true)
{
    if (!is_true)
        abort();
}

/* Decompresses, and reads what comes out as a log. */
static char *unpack(struct span packed, size_t *length)
{
    char message[1300];
    struct text problem;
    struct replay *replay;
    char *bytes;

    text_start(&problem, message, sizeof message);
    bytes = log_zstd_unpack(packed, MOST, length, &problem);
    if (bytes == NULL) {
        expect(problem.length > 0);
        return NULL;
    }
    expect(*length <= MOST && bytes[*length] == '\0');
    replay = deal_random_init() == 0 ? replay_read(bytes, *length, NULL, NULL, &problem) : NULL;
    while (replay != NULL && replay_next(replay, &problem) > 0)
        continue;
    expect(replay != NULL || problem.length > 0);
    replay_free(replay);
    return bytes;
}

static void try_packed(const char *bytes, size_t length, size_t cut)
{
    size_t packed_length;
    size_t got;
    char *packed = log_zstd_pack(bytes, length, &packed_length);
    char *again = unpack((struct span){packed, packed_length}, &got);

    expect(log_zstd_is_packed(packed, packed_length));
    expect(again != NULL && got == length && memcmp(again, bytes, length) == 0);
    free(again);
    again = unpack((struct span){packed, cut % packed_length}, &got);
    expect(again == NULL || (got <= length && memcmp(again, bytes, got) == 0));
    free(again);
    free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data + 2;
    size_t length;

    if (size < 2 || size > MOST)
        return 0;
    if (data[0] % 2 == 0)
        free(unpack((struct span){bytes, size - 2}, &length));
    else
        try_packed(bytes, size - 2, (size_t)data[1] * 7);
    return 0;
}
