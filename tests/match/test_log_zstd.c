/* Compressed logs: they come back as they were; files that are cut off, damaged or made to fill the
 * memory do no harm. */

#include "match/log_zstd.h"

#include "base/memory.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define LINES 3000
#define MOST ((size_t)1 << 20)

TestSuite(log_zstd);

static char sentence[300];

static char *unpack(const char *bytes, size_t length, size_t most, size_t *unpacked)
{
    struct text problem;

    text_start(&problem, sentence, sizeof sentence);
    return log_zstd_unpack((struct span){bytes, length}, most, unpacked, &problem);
}

/* Lines that look like a log. */
static char *make_lines(size_t *length)
{
    char *lines = xcalloc(LINES, 60);

    *length = 0;
    for (unsigned i = 0; i < LINES; i++)
        *length += (size_t)sprintf(lines + *length, "{\"n\":%u,\"seat\":%u,\"us\":%u}\n", i, i % 4,
                                   i * 7919U % 1000U);
    return lines;
}

Test(log_zstd, a_compressed_log_is_small_and_comes_back)
{
    size_t length;
    size_t packed_length;
    size_t unpacked_length;
    char *lines = make_lines(&length);
    char *packed = log_zstd_pack(lines, length, &packed_length);
    char *unpacked = unpack(packed, packed_length, length, &unpacked_length);

    cr_assert(log_zstd_is_packed(packed, packed_length));
    cr_assert_not(log_zstd_is_packed(lines, length));
    cr_assert_not(log_zstd_is_packed(packed, 3));
    cr_assert_lt(packed_length * 3, length);
    cr_assert_not_null(unpacked, "%s", sentence);
    cr_assert(unpacked_length == length && memcmp(unpacked, lines, length) == 0);
    cr_assert_eq(unpacked[length], '\0');
    free(unpacked);
    cr_assert_null(unpack(packed, packed_length, length - 1, &unpacked_length));
    cr_assert_not_null(strstr(sentence, "too large to be a log"), "%s", sentence);
    free(packed);
    free(lines);
}

/* As other programs write them: several frames, with flushes in between. */
Test(log_zstd, of_a_log_that_is_cut_off_the_beginning_comes_back)
{
    size_t length;
    char *lines = make_lines(&length);
    size_t capacity = ZSTD_compressBound(length) + 1000;
    char *packed = xcalloc(capacity, 1);
    ZSTD_CCtx *packer = ZSTD_createCCtx();
    ZSTD_outBuffer out = {packed, capacity, 0};

    for (unsigned i = 0; i < 4; i++) {
        ZSTD_inBuffer in = {lines + length / 4 * i, length / 4, 0};

        cr_assert_eq(
            ZSTD_compressStream2(packer, &out, &in, i % 2 == 0 ? ZSTD_e_flush : ZSTD_e_end), 0);
    }
    ZSTD_freeCCtx(packer);
    for (size_t cut = 4; cut <= out.pos; cut += cut < 40 ? 1 : 501) {
        size_t got;
        char *unpacked = unpack(packed, cut, MOST, &got);

        cr_assert(unpacked != NULL || strstr(sentence, "nothing is left of it") != NULL, "%zu: %s",
                  cut, sentence);
        got = unpacked != NULL ? got : 0;
        cr_assert(got == 0 || (got <= length && memcmp(unpacked, lines, got) == 0), "%zu", cut);
        cr_assert(cut < out.pos / 2 + 600 || got >= length / 2, "%zu: %zu", cut, got);
        free(unpacked);
    }
    free(packed);
    free(lines);
}

/* The line that was being written at the cut is lost, and at most some kilobytes before it. */
Test(log_zstd, our_own_logs_lose_little_where_they_are_cut_off)
{
    size_t length;
    size_t packed_length;
    char *lines = make_lines(&length);
    char *packed = log_zstd_pack(lines, length, &packed_length);
    size_t got;
    char *unpacked = unpack(packed, packed_length / 2, MOST, &got);

    cr_assert_not_null(unpacked, "%s", sentence);
    cr_assert(got > length / 4 && got < length, "%zu of %zu", got, length);
    cr_assert_arr_eq(unpacked, lines, got);
    free(unpacked);
    free(packed);
    free(lines);
}

Test(log_zstd, nothing_at_all_is_an_empty_log)
{
    size_t length;
    size_t got = 1;
    char *packed = log_zstd_pack("", 0, &length);
    char *unpacked = unpack(packed, length, MOST, &got);

    cr_assert(unpacked != NULL && got == 0);
    free(unpacked);
    unpacked = unpack("", 0, MOST, &got);
    cr_assert(unpacked != NULL && got == 0);
    free(unpacked);
    free(packed);
}

Test(log_zstd, damage_is_an_error_and_never_another_log)
{
    size_t length;
    size_t packed_length;
    char *lines = make_lines(&length);
    char *packed = log_zstd_pack(lines, length, &packed_length);

    for (size_t i = 4; i < packed_length; i += 97) {
        size_t got;
        char *unpacked;

        packed[i] ^= 0x10;
        unpacked = unpack(packed, packed_length, MOST, &got);
        cr_assert(unpacked == NULL || got < length || memcmp(unpacked, lines, length) == 0, "%zu",
                  i);
        free(unpacked);
        packed[i] ^= 0x10;
    }
    free(packed);
    free(lines);
}

Test(log_zstd, a_bomb_ends_at_the_limit)
{
    size_t zeros_length = (size_t)64 << 20;
    char *zeros = xcalloc(zeros_length, 1);
    size_t length;
    char *bomb = log_zstd_pack(zeros, zeros_length, &length);
    /* A frame that wants a window of 2 GB, and has one block of one byte. */
    static const char wide[] = {0x28, (char)0xb5, 0x2f, (char)0xfd, 0, (char)(21 << 3),
                                9,    0,          0,    'x'};
    size_t got;

    free(zeros);
    cr_assert_lt(length, 16384);
    cr_assert_null(unpack(bomb, length, MOST, &got));
    cr_assert_not_null(strstr(sentence, "too large to be a log"), "%s", sentence);
    cr_assert_null(unpack(wide, sizeof wide, MOST, &got));
    cr_assert_not_null(strstr(sentence, "memory"), "%s", sentence);
    free(bomb);
}

Test(log_zstd, the_name_says_whether_a_log_is_compressed)
{
    cr_assert_eq(log_zstd_plain_length("a/b.ndjson.zst"), 10);
    cr_assert_eq(log_zstd_plain_length("a/b.ndjson"), 10);
    cr_assert_eq(log_zstd_plain_length("b.zst.x"), 7);
    cr_assert_eq(log_zstd_plain_length(".zst"), 4);
}
