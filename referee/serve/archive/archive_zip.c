/* A zip has a directory at its end, which says where each file begins. Sizes and places are those
 * of the directory; of the headers before the files only their lengths count. */

#include "serve/archive/archive_private.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#define END_BYTES 22
#define END_MARK 0x06054b50
#define ENTRY_BYTES 46
#define ENTRY_MARK 0x02014b50
#define FILE_BYTES 30
#define FILE_MARK 0x04034b50
#define COMMENT_MAX 65535
#define IS_ENCRYPTED 1
#define STORED 0
#define DEFLATED 8

struct entry {
    char path[ARCHIVE_PATH_MAX + 1];
    unsigned flags, method, mode;
    uint32_t sum;
    size_t packed, size, at;
    size_t length; /* of the entry in the directory */
};

static size_t number16(const char *bytes)
{
    const unsigned char *at = (const unsigned char *)bytes;

    return (size_t)at[0] | (size_t)at[1] << 8;
}

static size_t number32(const char *bytes)
{
    return number16(bytes) | number16(bytes + 2) << 16;
}

static int refuse_damaged(struct archive_reading *reading)
{
    return archive_refuse(reading, NULL, "the archive is damaged or incomplete");
}

/* The end of the directory is the last thing, but for a comment. Returns NULL if there is none. */
static const char *find_end(struct span bytes)
{
    size_t most = bytes.length < END_BYTES + COMMENT_MAX ? bytes.length : END_BYTES + COMMENT_MAX;

    for (size_t back = END_BYTES; back <= most; back++) {
        const char *end = bytes.start + bytes.length - back;

        if (number32(end) == END_MARK && number16(end + 20) == back - END_BYTES)
            return end;
    }
    return NULL;
}

/* Reads the entry at the front of the directory. Returns 0 or -1. */
static int read_entry(struct archive_reading *reading, struct span directory, struct entry *entry)
{
    const char *bytes = directory.start;
    size_t name;

    if (directory.length < ENTRY_BYTES || number32(bytes) != ENTRY_MARK)
        return refuse_damaged(reading);
    name = number16(bytes + 28);
    entry->length = ENTRY_BYTES + name + number16(bytes + 30) + number16(bytes + 32);
    if (entry->length > directory.length)
        return refuse_damaged(reading);
    if (name == 0 || name > ARCHIVE_PATH_MAX || memchr(bytes + ENTRY_BYTES, '\0', name) != NULL)
        return archive_refuse(reading, NULL, "a path in the archive is too long");
    memcpy(entry->path, bytes + ENTRY_BYTES, name);
    entry->path[name] = '\0';
    entry->flags = (unsigned)number16(bytes + 8);
    entry->method = (unsigned)number16(bytes + 10);
    entry->sum = (uint32_t)number32(bytes + 16);
    entry->packed = number32(bytes + 20);
    entry->size = number32(bytes + 24);
    entry->mode = (unsigned)number32(bytes + 38) >> 16;
    entry->at = number32(bytes + 42);
    return 0;
}

/* The packed bytes of an entry. Returns 0 or -1. */
static int find_bytes(struct archive_reading *reading, const struct entry *entry,
                      struct span *packed)
{
    struct span all = reading->bytes;
    const char *header = all.start + entry->at;
    size_t skipped;

    if (entry->at > all.length || all.length - entry->at < FILE_BYTES ||
        number32(header) != FILE_MARK)
        return refuse_damaged(reading);
    skipped = FILE_BYTES + number16(header + 26) + number16(header + 28);
    if (all.length - entry->at < skipped || all.length - entry->at - skipped < entry->packed)
        return refuse_damaged(reading);
    *packed = (struct span){header + skipped, entry->packed};
    return 0;
}

/* Fills `bytes`, which has room for all that the directory says. Returns 0 or -1. */
static int unpack(const struct entry *entry, struct span packed, char *bytes)
{
    z_stream stream = {.next_in = (unsigned char *)packed.start,
                       .avail_in = (unsigned)packed.length,
                       .next_out = (unsigned char *)bytes,
                       .avail_out = (unsigned)entry->size};
    int result;

    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return -1;
    result = inflate(&stream, Z_FINISH);
    (void)inflateEnd(&stream);
    return result == Z_STREAM_END && stream.avail_out == 0 ? 0 : -1;
}

static int add_bytes(struct archive_reading *reading, const struct entry *entry, struct span bytes)
{
    uLong sum = crc32(0, (const unsigned char *)bytes.start, (unsigned)bytes.length);

    return sum == entry->sum ? archive_add_file(reading, entry->path, bytes)
                             : refuse_damaged(reading);
}

static int add_file(struct archive_reading *reading, const struct entry *entry)
{
    struct span packed;
    char *bytes;
    int result;

    if (entry->flags & IS_ENCRYPTED)
        return archive_refuse(reading, entry->path, "it is encrypted");
    if (archive_check_bytes(reading, entry->path, entry->size) != 0 ||
        find_bytes(reading, entry, &packed) != 0)
        return -1;
    if (entry->method == STORED)
        return packed.length == entry->size ? add_bytes(reading, entry, packed)
                                            : refuse_damaged(reading);
    if (entry->method != DEFLATED)
        return archive_refuse(reading, entry->path,
                              "it is packed in a way that is not known here: use deflate");
    bytes = xcalloc(entry->size + 1, 1);
    result = unpack(entry, packed, bytes) == 0
                 ? add_bytes(reading, entry, (struct span){bytes, entry->size})
                 : refuse_damaged(reading);
    free(bytes);
    return result;
}

/* Zips of some systems have no modes: then it is 0. */
static int add_entry(struct archive_reading *reading, const struct entry *entry)
{
    bool is_folder = entry->path[strlen(entry->path) - 1] == '/';

    if (S_ISLNK(entry->mode))
        return archive_refuse(reading, entry->path, "links are not taken");
    if ((entry->mode & S_IFMT) != 0 && !S_ISREG(entry->mode) && !S_ISDIR(entry->mode))
        return archive_refuse(reading, entry->path, "only files and folders are taken");
    return is_folder ? archive_add_folder(reading, entry->path) : add_file(reading, entry);
}

int archive_read_zip(struct archive_reading *reading)
{
    const char *end = find_end(reading->bytes);
    struct span directory;
    struct entry entry;
    size_t count, at, length;

    if (end == NULL)
        return refuse_damaged(reading);
    count = number16(end + 10);
    length = number32(end + 12);
    at = number32(end + 16);
    if (at > (size_t)(end - reading->bytes.start) ||
        length > (size_t)(end - reading->bytes.start) - at)
        return refuse_damaged(reading);
    directory = (struct span){reading->bytes.start + at, length};
    for (size_t i = 0; i < count; i++) {
        if (read_entry(reading, directory, &entry) != 0 || add_entry(reading, &entry) != 0)
            return -1;
        directory.start += entry.length;
        directory.length -= entry.length;
    }
    return 0;
}
