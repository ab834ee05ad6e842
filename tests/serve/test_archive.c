/* Archives, whole and broken in every place: whatever comes, only clean paths and as many bytes as
 * are allowed get through. */

#include "serve/archive/archive.h"

#include "base/memory.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* bot/run.sh, stored, and bot/data/a, 300 letters, deflated. */
static const unsigned char zip[] = {
    0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x21, 0x00, 0x1d, 0x9d,
    0xfb, 0x04, 0x0a, 0x00, 0x00, 0x00, 0x0a, 0x00, 0x00, 0x00, 0x0a, 0x00, 0x00, 0x00, 0x62, 0x6f,
    0x74, 0x2f, 0x72, 0x75, 0x6e, 0x2e, 0x73, 0x68, 0x23, 0x21, 0x2f, 0x62, 0x69, 0x6e, 0x2f, 0x73,
    0x68, 0x0a, 0x50, 0x4b, 0x03, 0x04, 0x14, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00,
    0x09, 0x19, 0x97, 0x89, 0x07, 0x00, 0x00, 0x00, 0x2c, 0x01, 0x00, 0x00, 0x0a, 0x00, 0x00, 0x00,
    0x62, 0x6f, 0x74, 0x2f, 0x64, 0x61, 0x74, 0x61, 0x2f, 0x61, 0x4b, 0x4c, 0x1c, 0x05, 0xc4, 0x02,
    0x00, 0x50, 0x4b, 0x01, 0x02, 0x14, 0x03, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x21,
    0x00, 0x1d, 0x9d, 0xfb, 0x04, 0x0a, 0x00, 0x00, 0x00, 0x0a, 0x00, 0x00, 0x00, 0x0a, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xa4, 0x81, 0x00, 0x00, 0x00, 0x00, 0x62,
    0x6f, 0x74, 0x2f, 0x72, 0x75, 0x6e, 0x2e, 0x73, 0x68, 0x50, 0x4b, 0x01, 0x02, 0x14, 0x03, 0x14,
    0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x21, 0x00, 0x09, 0x19, 0x97, 0x89, 0x07, 0x00, 0x00,
    0x00, 0x2c, 0x01, 0x00, 0x00, 0x0a, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0xa4, 0x81, 0x32, 0x00, 0x00, 0x00, 0x62, 0x6f, 0x74, 0x2f, 0x64, 0x61, 0x74, 0x61, 0x2f,
    0x61, 0x50, 0x4b, 0x05, 0x06, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x02, 0x00, 0x70, 0x00, 0x00,
    0x00, 0x61, 0x00, 0x00, 0x00, 0x00, 0x00,
};

/* bot/run.sh, and a file with a long name in a pax header, 300 letters. */
static const unsigned char packed_tar[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0xca, 0x2f, 0xd1, 0x2f, 0x2a,
    0xcd, 0xd3, 0x2b, 0xce, 0x60, 0xa0, 0x19, 0x30, 0x00, 0x02, 0x33, 0x13, 0x13, 0x30, 0x0d, 0x04,
    0xe8, 0xb4, 0x81, 0x81, 0xa1, 0x11, 0x82, 0x0d, 0x16, 0x37, 0x37, 0x33, 0x33, 0x62, 0x50, 0x30,
    0x60, 0xa0, 0x03, 0x28, 0x2d, 0x2e, 0x49, 0x2c, 0x02, 0x5a, 0xc9, 0x30, 0x32, 0x81, 0xb2, 0xa2,
    0x7e, 0x52, 0x66, 0x9e, 0x7e, 0x71, 0x06, 0x17, 0xc3, 0x28, 0x18, 0x81, 0x40, 0x4f, 0x5f, 0x4f,
    0xdf, 0x21, 0x20, 0xb1, 0xc2, 0x23, 0x35, 0x31, 0x25, 0xb5, 0x88, 0x76, 0xf9, 0x1f, 0x4b, 0xbe,
    0x87, 0xe7, 0x79, 0x23, 0x43, 0x63, 0xd4, 0xfc, 0x6f, 0x08, 0x14, 0x32, 0x64, 0x50, 0xa8, 0x18,
    0xcd, 0xff, 0x34, 0x07, 0x86, 0xc6, 0x96, 0x0a, 0x05, 0x89, 0x25, 0x19, 0xb6, 0x49, 0xc0, 0x8a,
    0x20, 0x25, 0xb1, 0x24, 0x51, 0xff, 0xf0, 0x92, 0x81, 0x81, 0xa3, 0x05, 0xd0, 0x40, 0x00, 0x78,
    0xb4, 0xdb, 0x53, 0x00, 0x28, 0xac, 0xff, 0x4d, 0x4c, 0x4d, 0xd0, 0xf2, 0xbf, 0x99, 0xb9, 0xa9,
    0xf1, 0x68, 0xfd, 0x4f, 0x0f, 0x90, 0x38, 0x0a, 0x88, 0x06, 0xc3, 0x31, 0xfe, 0x01, 0x41, 0x72,
    0x3e, 0x89, 0x00, 0x0c, 0x00, 0x00,
};

static char taken[2000];
static size_t taken_bytes;
static int answer;

static void expect_clean(const char *path)
{
    cr_assert_neq(path[0], '/');
    cr_assert_neq(path[0], '\0');
    cr_assert_leq(strlen(path), (size_t)ARCHIVE_PATH_MAX);
    cr_assert_null(strstr(path, "//"));
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        cr_assert(strcspn(part, "/") > 0 && strcspn(part, "/") <= 255);
        cr_assert_neq(strcspn(part, "/") == 2 && part[0] == '.' && part[1] == '.', true);
        cr_assert_neq(strcspn(part, "/") == 1 && part[0] == '.', true);
    }
}

static int take_folder(void *context, const char *path)
{
    (void)context;
    expect_clean(path);
    errno = EEXIST;
    return answer;
}

static int take_file(void *context, const char *path, struct span bytes)
{
    size_t length = strlen(taken);

    (void)context;
    expect_clean(path);
    taken_bytes += bytes.length;
    snprintf(taken + length, sizeof taken - length, "%s %zu\n", path, bytes.length);
    errno = EEXIST;
    return answer;
}

static char sentence[600];

static int read_bytes(const void *bytes, size_t length)
{
    static const struct archive_taker taker = {take_folder, take_file, NULL};
    char *copy = xcalloc(length + 1, 1); /* so that a sanitizer sees its end */
    struct text problem;
    int result;

    copy = xrealloc(copy, length > 0 ? length : 1);
    memcpy(copy, bytes, length);
    taken[0] = '\0';
    taken_bytes = 0;
    text_start(&problem, sentence, sizeof sentence);
    result = archive_read((struct span){copy, length}, &taker, &problem);
    cr_assert_leq(taken_bytes, ARCHIVE_BYTES_MAX);
    cr_assert_eq(result == 0, problem.length == 0, "%s", sentence);
    free(copy);
    return result;
}

Test(archive, a_zip_is_read)
{
    cr_expect_eq(read_bytes(zip, sizeof zip), 0, "%s", sentence);
    cr_expect_str_eq(taken, "bot/run.sh 10\nbot/data/a 300\n");
}

Test(archive, a_packed_tar_with_a_long_name_is_read)
{
    cr_expect_eq(read_bytes(packed_tar, sizeof packed_tar), 0, "%s", sentence);
    cr_expect_eq(strncmp(taken, "bot/run.sh 10\nbot/data/\303\244", 25), 0, "%s", taken);
    cr_expect_eq(taken_bytes, 310);
}

Test(archive, a_file_that_cannot_be_taken_is_named)
{
    answer = -1;
    cr_expect_eq(read_bytes(zip, sizeof zip), -1);
    answer = 0;
    cr_expect_str_eq(sentence, "\"bot/run.sh\" in the archive: it is there twice");
}

Test(archive, names_of_archives_have_an_ending)
{
    cr_expect(archive_is_name("bot.zip") && archive_is_name("a.TAR.GZ") &&
              archive_is_name("b.tgz"));
    cr_expect(archive_is_name("x.tar"));
    cr_expect_not(archive_is_name("zip") || archive_is_name(".zip") || archive_is_name("bot.py"));
    cr_expect_not(archive_is_name("bot.gz"));
}

static void cut_everywhere(const unsigned char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        cr_expect_eq(read_bytes(bytes, i), -1, "the first %zu bytes are taken", i);
}

static void change_everywhere(const unsigned char *bytes, size_t length)
{
    static const unsigned char changes[] = {0x01, 0x80, 0xff, 0x10};
    unsigned char *copy = xcalloc(length, 1);

    memcpy(copy, bytes, length);
    for (size_t i = 0; i < length; i++) {
        for (size_t k = 0; k < ARRAY_LEN(changes); k++) {
            copy[i] = bytes[i] ^ changes[k];
            (void)read_bytes(copy, length);
        }
        copy[i] = bytes[i];
    }
    free(copy);
}

Test(archive, one_that_is_incomplete_is_refused)
{
    cut_everywhere(zip, sizeof zip);
    cut_everywhere(packed_tar, sizeof packed_tar);
}

Test(archive, one_that_is_damaged_does_no_harm)
{
    change_everywhere(zip, sizeof zip);
    change_everywhere(packed_tar, sizeof packed_tar);
}

/* A header of a tar for a file without bytes. */
static void write_header(char block[512], const char *path, char type, const char *size)
{
    unsigned sum = 0;

    memset(block, 0, 512);
    snprintf(block, 100, "%s", path);
    snprintf(block + 124, 12, "%s", size);
    memset(block + 148, ' ', 8);
    block[156] = type;
    memcpy(block + 257, "ustar", 6);
    for (unsigned i = 0; i < 512; i++)
        sum += (unsigned char)block[i];
    snprintf(block + 148, 8, "%06o", sum);
}

Test(archive, paths_and_kinds_that_are_not_taken)
{
    static const struct {
        const char *path, *size;
        char type;
        const char *words; /* NULL: it is taken */
    } rows[] = {
        {"a", "0", '0', NULL},
        {"./a/./b", "0", '0', NULL},
        {"a//b/", "0", '5', NULL},
        {"./", "0", '5', NULL},
        {"/etc/x", "0", '0', "absolute"},
        {"../x", "0", '0', "lead out"},
        {"a/../../x", "0", '0', "lead out"},
        {"a/..", "0", '5', "lead out"},
        {"a\\b", "0", '0', "backslash"},
        {"a\nb", "0", '0', "control"},
        {"", "0", '0', "no name"},
        {"x", "0", '1', "links"},
        {"x", "0", '2', "links"},
        {"x", "0", '3', "only files"},
        {"x", "0", '4', "only files"},
        {"x", "0", '6', "only files"},
        {"x", "0", 'S', "only files"},
        {"x", "77777777777", '0', "incomplete"},
        {"x", "-1", '0', "too large"},
        {"x", "", '0', "too large"},
        {"1/2/3/4/5/6/7/8/9/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x", "0", '0', "too long"},
    };
    char block[512];

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        write_header(block, rows[i].path, rows[i].type, rows[i].size);
        cr_expect_eq(read_bytes(block, sizeof block), rows[i].words != NULL ? -1 : 0, "%zu: %s", i,
                     sentence);
        if (rows[i].words != NULL)
            cr_expect_not_null(strstr(sentence, rows[i].words), "%zu: %s", i, sentence);
    }
}

Test(archive, too_many_entries_are_refused)
{
    size_t count = ARCHIVE_ENTRIES_MAX + 1;
    char *tar = xcalloc(count, 512);

    for (size_t i = 0; i < count; i++)
        write_header(tar + i * 512, "a", '5', "0");
    cr_expect_eq(read_bytes(tar, (count - 1) * 512), 0);
    cr_expect_eq(read_bytes(tar, count * 512), -1);
    cr_expect_not_null(strstr(sentence, "5000"));
    free(tar);
}
