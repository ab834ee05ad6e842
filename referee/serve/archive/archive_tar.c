/* A tar is a row of blocks: a header and the bytes of its entry, filled up to whole blocks. A pax
 * or GNU header before an entry has a name or a size that does not fit into the header itself. Two
 * blocks of zeros are the end, or the end of the bytes is. */

#include "serve/archive/archive_private.h"

#include <stdio.h>
#include <string.h>

#define BLOCK 512

/* The offsets and lengths of a header's members. */
enum member {
    NAME = 0,
    NAME_BYTES = 100,
    SIZE = 124,
    SIZE_BYTES = 12,
    CHECKSUM = 148,
    CHECKSUM_BYTES = 8,
    TYPE = 156,
    MAGIC = 257,
    PREFIX = 345,
    PREFIX_BYTES = 155,
};

/* What headers before an entry say about it. */
struct extra {
    char path[ARCHIVE_PATH_MAX + 1];
    bool has_path;
    bool has_size;
    size_t size;
};

/* An octal number, with spaces or NULs around it. Returns 0 or -1. */
static int read_octal(const char *digits, size_t length, size_t *number)
{
    size_t i = 0;
    unsigned count = 0;

    *number = 0;
    while (i < length && digits[i] == ' ')
        i++;
    for (; i < length && digits[i] >= '0' && digits[i] <= '7'; i++, count++) {
        if (*number >> 40 != 0)
            return -1;
        *number = *number * 8 + (size_t)(digits[i] - '0');
    }
    while (i < length && (digits[i] == ' ' || digits[i] == '\0'))
        i++;
    return i == length && count > 0 ? 0 : -1;
}

static bool is_header(const char *block)
{
    size_t wanted, sum = 0;

    if (read_octal(block + CHECKSUM, CHECKSUM_BYTES, &wanted) != 0)
        return false;
    for (size_t i = 0; i < BLOCK; i++)
        sum += i >= CHECKSUM && i < CHECKSUM + CHECKSUM_BYTES ? ' ' : (unsigned char)block[i];
    return sum == wanted;
}

static bool is_zero(const char *block)
{
    for (size_t i = 0; i < BLOCK; i++) {
        if (block[i] != '\0')
            return false;
    }
    return true;
}

/* GNU tar uses the place of the prefix for something else. */
static void read_path(const char *block, char path[ARCHIVE_PATH_MAX + 1])
{
    bool has_prefix = memcmp(block + MAGIC, "ustar", 6) == 0 && block[PREFIX] != '\0';

    snprintf(path, ARCHIVE_PATH_MAX + 1, "%.*s%s%.*s", has_prefix ? PREFIX_BYTES : 0,
             block + PREFIX, has_prefix ? "/" : "", NAME_BYTES, block + NAME);
}

/* Keeps a path for the next entry. Returns 0 or -1. */
static int keep_path(struct archive_reading *reading, struct extra *extra, struct span path)
{
    while (path.length > 0 && path.start[path.length - 1] == '\0')
        path.length--;
    if (path.length > ARCHIVE_PATH_MAX || memchr(path.start, '\0', path.length) != NULL)
        return archive_refuse(reading, NULL, "a path in the archive is too long");
    memcpy(extra->path, path.start, path.length);
    extra->path[path.length] = '\0';
    extra->has_path = true;
    return 0;
}

static int take_record(struct archive_reading *reading, struct extra *extra, struct span key,
                       struct span value)
{
    long size;

    if (span_is(key, "path"))
        return keep_path(reading, extra, value);
    if (key.length >= 10 && memcmp(key.start, "GNU.sparse", 10) == 0)
        return archive_refuse(reading, NULL, "the archive has a file with holes");
    if (span_is(key, "size")) {
        if (span_read_number(value, 0, 1L << 40, &size) != 0)
            return archive_refuse(reading, NULL, "the archive is damaged");
        extra->size = (size_t)size;
        extra->has_size = true;
    }
    return 0;
}

/* Records "LENGTH KEY=VALUE\n", of which LENGTH counts all bytes. */
static int take_pax(struct archive_reading *reading, struct extra *extra, struct span records)
{
    while (records.length > 0) {
        struct span rest = records;
        struct span number = span_cut(&rest, ' ');
        struct span record, key;
        long length;

        if (rest.start == NULL || span_read_number(number, 5, (long)records.length, &length) != 0 ||
            (size_t)length < number.length + 2 || records.start[length - 1] != '\n')
            return archive_refuse(reading, NULL, "the archive is damaged");
        record = (struct span){rest.start, (size_t)length - number.length - 2};
        key = span_cut(&record, '=');
        if (record.start == NULL)
            return archive_refuse(reading, NULL, "the archive is damaged");
        if (take_record(reading, extra, key, record) != 0)
            return -1;
        records.start += length;
        records.length -= (size_t)length;
    }
    return 0;
}

/* Takes one entry with all its bytes. Returns 0 or -1. */
static int take_entry(struct archive_reading *reading, struct extra *extra, const char *block,
                      struct span bytes)
{
    char path[ARCHIVE_PATH_MAX + 1];
    char type = block[TYPE];
    struct extra known = *extra;

    if (type == 'x')
        return take_pax(reading, extra, bytes);
    if (type == 'L')
        return keep_path(reading, extra, bytes);
    if (type == 'g' || type == 'K')
        return 0;
    *extra = (struct extra){.has_path = false};
    if (known.has_path)
        memcpy(path, known.path, sizeof path);
    else
        read_path(block, path);
    if (type == '5')
        return archive_add_folder(reading, path);
    if (type == '1' || type == '2')
        return archive_refuse(reading, path, "links are not taken");
    if (type != '0' && type != '\0' && type != '7')
        return archive_refuse(reading, path, "only files and folders are taken");
    /* An old tar has folders as files with a `/` at the end. */
    if (path[0] != '\0' && path[strlen(path) - 1] == '/')
        return archive_add_folder(reading, path);
    return archive_add_file(reading, path, bytes);
}

int archive_read_tar(struct archive_reading *reading)
{
    struct span rest = reading->bytes;
    struct extra extra = {.has_path = false};
    bool is_first = true;

    while (rest.length >= BLOCK && !is_zero(rest.start)) {
        const char *block = rest.start;
        size_t size, room = rest.length - BLOCK;

        if (!is_header(block))
            return archive_refuse(reading, NULL,
                                  is_first ? "it is not a zip, a tar or a tar.gz"
                                           : "the archive is damaged");
        is_first = false;
        if (read_octal(block + SIZE, SIZE_BYTES, &size) != 0)
            return archive_refuse(reading, NULL, "a file in the archive is too large");
        if (extra.has_size && block[TYPE] != 'x' && block[TYPE] != 'L')
            size = extra.size;
        if (size > room)
            return archive_refuse(reading, NULL, "the archive is incomplete");
        if (take_entry(reading, &extra, block, (struct span){block + BLOCK, size}) != 0)
            return -1;
        size = (size + BLOCK - 1) / BLOCK * BLOCK;
        size = BLOCK + (size < room ? size : room);
        rest = (struct span){rest.start + size, rest.length - size};
    }
    return is_first ? archive_refuse(reading, NULL, "it is not a zip, a tar or a tar.gz") : 0;
}
