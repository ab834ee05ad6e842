/* A log is compressed when it is complete: so it takes little space, and while the match is played
 * nobody keeps a compressor for it. One is shared by all logs of the process. Pieces of the log can
 * be decompressed without what follows them, so a file that is cut off can be shown up to there.
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

/* Smaller pieces take more space: with these, 2 % more than a log without any. */
#define PIECE_BYTES ((size_t)8 << 10)
#define PIECE_MORE_BYTES 32 /* for the end of a piece, at most */
#define PIECES_MAX 64       /* of long logs, which have larger ones */

static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};

size_t log_zstd_plain_length(const char *path)
{
    size_t length = strlen(path);
    size_t ending = strlen(LOG_ZSTD_SUFFIX);
    bool is_packed = length > ending && strcmp(path + length - ending, LOG_ZSTD_SUFFIX) == 0;

    return is_packed ? length - ending : length;
}

/* Adds a piece to what is compressed. */
static void pack_piece(ZSTD_CCtx *packer, ZSTD_outBuffer *out, struct span piece, bool is_last)
{
    ZSTD_inBuffer in = {piece.start, piece.length, 0};
    size_t left = 1;

    while (left != 0) {
        left = ZSTD_compressStream2(packer, out, &in, is_last ? ZSTD_e_end : ZSTD_e_flush);
        if (ZSTD_isError(left))
            fatal("zstd: %s", ZSTD_getErrorName(left));
    }
}

char *log_zstd_pack(const char *bytes, size_t length, size_t *packed_length)
{
    static ZSTD_CCtx *packer;
    size_t capacity = ZSTD_compressBound(length) + (length / PIECE_BYTES + 2) * PIECE_MORE_BYTES;
    ZSTD_outBuffer out = {xcalloc(capacity, 1), capacity, 0};
    size_t most = length / PIECES_MAX > PIECE_BYTES ? length / PIECES_MAX : PIECE_BYTES;
    size_t done = 0;
    size_t piece;

    if (packer == NULL) {
        packer = ZSTD_createCCtx();
        if (packer == NULL)
            fatal("out of memory");
        (void)ZSTD_CCtx_setParameter(packer, ZSTD_c_compressionLevel, LEVEL);
        (void)ZSTD_CCtx_setParameter(packer, ZSTD_c_checksumFlag, 1);
    }
    (void)ZSTD_CCtx_setPledgedSrcSize(packer, length);
    do {
        piece = length - done < most ? length - done : most;
        pack_piece(packer, &out, (struct span){bytes + done, piece}, done + piece == length);
        done += piece;
    } while (done < length);
    *packed_length = out.pos;
    return out.dst;
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
    size_t hint = 0;

    if (unpacker == NULL)
        fatal("out of memory");
    (void)grow(&out, most);
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
    if (why == NULL && out.pos == 0 && hint != 0)
        why = "it is cut off, and nothing is left of it";
    if (why == NULL) {
        *length = out.pos;
        ((char *)out.dst)[out.pos] = '\0';
        return out.dst;
    }
    free(out.dst);
    text_printf(problem, "it cannot be decompressed: %s", why);
    return NULL;
}
