/* A log is compressed as a whole when it is complete: so it takes the least space, and while the
 * match is played nobody keeps a compressor for it. One is shared by all logs of the process.
 *
 * Files to read may come from anybody. A few bytes can claim to be gigabytes: the result grows as
 * it comes, up to a limit, and so does the window that a frame asks for. */

#include "match/log_zstd.h"

#include "base/memory.h"
#include "base/message.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define LEVEL 3

/* 8 MB: what `zstd -19` asks for. */
#define WINDOW_LOG_MAX 23

#define FIRST_BYTES ((size_t)64 << 10)

static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};

size_t log_zstd_plain_length(const char *path)
{
    size_t length = strlen(path);
    size_t ending = strlen(LOG_ZSTD_SUFFIX);
    bool is_packed = length > ending && strcmp(path + length - ending, LOG_ZSTD_SUFFIX) == 0;

    return is_packed ? length - ending : length;
}

char *log_zstd_pack(const char *bytes, size_t length, size_t *packed_length)
{
    static ZSTD_CCtx *packer;
    size_t capacity = ZSTD_compressBound(length);
    char *packed = xcalloc(capacity, 1);

    if (packer == NULL) {
        packer = ZSTD_createCCtx();
        if (packer == NULL)
            fatal("out of memory");
        (void)ZSTD_CCtx_setParameter(packer, ZSTD_c_compressionLevel, LEVEL);
        (void)ZSTD_CCtx_setParameter(packer, ZSTD_c_checksumFlag, 1);
    }
    *packed_length = ZSTD_compress2(packer, packed, capacity, bytes, length);
    if (ZSTD_isError(*packed_length))
        fatal("zstd: %s", ZSTD_getErrorName(*packed_length));
    return packed;
}

bool log_zstd_is_packed(const char *bytes, size_t length)
{
    return length >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/* Makes room for more, and at last for one byte too many. Returns false after that. */
static bool grow(ZSTD_outBuffer *out, size_t most)
{
    size_t size = out->size == 0 ? FIRST_BYTES : 2 * out->size;

    if (out->size > most)
        return false;
    out->size = size < most ? size : most + 1;
    out->dst = xrealloc(out->dst, out->size + 1);
    return true;
}

char *log_zstd_unpack(struct span packed, size_t most, size_t *length, struct text *problem)
{
    ZSTD_DCtx *unpacker = ZSTD_createDCtx();
    ZSTD_inBuffer in = {packed.start, packed.length, 0};
    ZSTD_outBuffer out = {NULL, 0, 0};
    const char *why = NULL;
    size_t before = 0;
    size_t hint;

    if (unpacker == NULL)
        fatal("out of memory");
    (void)ZSTD_DCtx_setParameter(unpacker, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    /* At the end of the input there may still be output that had no room. */
    while (why == NULL && (in.pos < in.size || out.pos > before)) {
        if (out.pos == out.size && !grow(&out, most)) {
            why = "it is too large to be a log";
            break;
        }
        before = out.pos;
        hint = ZSTD_decompressStream(unpacker, &out, &in);
        if (ZSTD_isError(hint))
            why = ZSTD_getErrorName(hint);
    }
    ZSTD_freeDCtx(unpacker);
    if (why == NULL) {
        *length = out.pos;
        ((char *)out.dst)[out.pos] = '\0';
        return out.dst;
    }
    free(out.dst);
    text_printf(problem, "it cannot be decompressed: %s", why);
    return NULL;
}
