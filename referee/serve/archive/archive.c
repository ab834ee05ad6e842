/* The kind of an archive is in its first bytes. A path is rebuilt from its parts before anybody
 * sees it, so that there is one place where it is judged. Memory is bounded by the size of an
 * upload and by ARCHIVE_BYTES_MAX, whatever the archive says about itself. */

#include "serve/archive/archive_private.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#define NOISE "__MACOSX" /* a folder that macOS adds to archives */
#define TOO_MANY "the archive has more than 5000 files and folders"
#define GZIP_BITS (15 + 16)
/* A tar has a header per entry, and may have a longer one before it. */
#define TAR_BYTES_MAX (ARCHIVE_BYTES_MAX + ARCHIVE_ENTRIES_MAX * (size_t)4096)

bool archive_is_name(const char *name)
{
    static const char *const endings[] = {".zip", ".tar", ".tar.gz", ".tgz"};
    size_t length = strlen(name);

    for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
        size_t count = strlen(endings[i]);

        if (length > count && strcasecmp(name + length - count, endings[i]) == 0)
            return true;
    }
    return false;
}

int archive_refuse(struct archive_reading *reading, const char *path, const char *why)
{
    if (path != NULL) {
        text_add_quoted(reading->problem, (struct span){path, strnlen(path, 60)});
        text_add(reading->problem, " in the archive: ");
    }
    text_add(reading->problem, why);
    return -1;
}

int archive_check_bytes(struct archive_reading *reading, const char *path, size_t bytes)
{
    if (bytes <= reading->left)
        return 0;
    return archive_refuse(reading, path, "all files together may have 64 MB");
}

/* Paths. */

static bool is_clean(struct span part)
{
    for (size_t i = 0; i < part.length; i++) {
        unsigned char byte = (unsigned char)part.start[i];

        if (byte < ' ' || byte == 0x7f || byte == '\\')
            return false;
    }
    return part.length <= 255;
}

/* Makes the path of an entry; an empty one is that of the whole. Returns 0 or -1. */
static int clean_path(struct archive_reading *reading, const char *path,
                      char clean[ARCHIVE_PATH_MAX + 1])
{
    struct span rest = span_of(path);
    struct text text;
    unsigned depth = 0;

    if (path[0] == '/')
        return archive_refuse(reading, path, "a path must not be absolute");
    text_start(&text, clean, ARCHIVE_PATH_MAX + 1);
    while (rest.start != NULL) {
        struct span part = span_cut(&rest, '/');

        if (part.length == 0 || span_is(part, "."))
            continue;
        if (span_is(part, ".."))
            return archive_refuse(reading, path, "a path must not lead out of the archive");
        if (!is_clean(part))
            return archive_refuse(reading, path,
                                  "a name must have no control characters and no backslash");
        if (depth++ > 0)
            text_add_char(&text, '/');
        text_add_bytes(&text, part.start, part.length);
    }
    if (text.is_cut || depth > ARCHIVE_DEPTH_MAX)
        return archive_refuse(reading, path, "the path is too long");
    return 0;
}

/* Counts an entry and makes its path. Returns 0; 1 if it is to be left out; or -1. */
static int begin_entry(struct archive_reading *reading, const char *path,
                       char clean[ARCHIVE_PATH_MAX + 1])
{
    if (reading->entries == 0)
        return archive_refuse(reading, NULL, TOO_MANY);
    reading->entries--;
    if (clean_path(reading, path, clean) != 0)
        return -1;
    return strncmp(clean, NOISE, strlen(NOISE)) == 0 &&
           (clean[strlen(NOISE)] == '\0' || clean[strlen(NOISE)] == '/');
}

static int end_entry(struct archive_reading *reading, const char *path, int result)
{
    if (result == 0)
        return 0;
    if (errno == E2BIG)
        return archive_refuse(reading, NULL, TOO_MANY);
    return archive_refuse(reading, path,
                          errno == EEXIST    ? "it is there twice"
                          : errno == ENOTDIR ? "its folder is a file"
                                             : strerror(errno));
}

int archive_add_folder(struct archive_reading *reading, const char *path)
{
    char clean[ARCHIVE_PATH_MAX + 1];
    int begun = begin_entry(reading, path, clean);

    if (begun != 0 || clean[0] == '\0')
        return begun < 0 ? -1 : 0;
    return end_entry(reading, path, reading->taker->take_folder(reading->taker->context, clean));
}

int archive_add_file(struct archive_reading *reading, const char *path, struct span bytes)
{
    char clean[ARCHIVE_PATH_MAX + 1];
    int begun = begin_entry(reading, path, clean);

    if (begun < 0)
        return -1;
    if (clean[0] == '\0')
        return archive_refuse(reading, path, "a file has no name");
    if (archive_check_bytes(reading, path, bytes.length) != 0)
        return -1;
    reading->left -= bytes.length;
    if (begun > 0)
        return 0;
    return end_entry(reading, path,
                     reading->taker->take_file(reading->taker->context, clean, bytes));
}

/* gzip. */

/* Unpacks everything into memory, which grows as it comes. Returns 0 or -1; free `unpacked`. */
static int inflate_all(z_stream *stream, char **unpacked, size_t *length)
{
    size_t capacity = 0;
    int result = Z_OK;

    while (result == Z_OK && *length < TAR_BYTES_MAX) {
        if (*length == capacity) {
            capacity = capacity == 0 ? (size_t)1 << 20 : 2 * capacity;
            capacity = capacity < TAR_BYTES_MAX ? capacity : TAR_BYTES_MAX;
            *unpacked = xrealloc(*unpacked, capacity);
        }
        stream->next_out = (unsigned char *)*unpacked + *length;
        stream->avail_out = (unsigned)(capacity - *length);
        result = inflate(stream, Z_NO_FLUSH);
        *length = capacity - stream->avail_out;
    }
    return result == Z_STREAM_END ? 0 : -1;
}

static int read_gzip(struct archive_reading *reading)
{
    z_stream stream = {.next_in = (unsigned char *)reading->bytes.start,
                       .avail_in = (unsigned)reading->bytes.length};
    char *unpacked = NULL;
    size_t length = 0;
    int result;

    if (inflateInit2(&stream, GZIP_BITS) != Z_OK)
        return archive_refuse(reading, NULL, "there is no memory for it");
    result = inflate_all(&stream, &unpacked, &length);
    (void)inflateEnd(&stream);
    if (result == 0) {
        reading->bytes = (struct span){unpacked, length};
        result = archive_read_tar(reading);
    } else if (length >= TAR_BYTES_MAX) {
        (void)archive_refuse(reading, NULL, "all files together may have 64 MB");
    } else {
        (void)archive_refuse(reading, NULL, "the archive is damaged or incomplete");
    }
    free(unpacked);
    return result;
}

int archive_read(struct span archive, const struct archive_taker *taker, struct text *problem)
{
    struct archive_reading reading = {archive, taker, problem, ARCHIVE_BYTES_MAX,
                                      ARCHIVE_ENTRIES_MAX};

    if (archive.length >= 2 && memcmp(archive.start, "PK", 2) == 0)
        return archive_read_zip(&reading);
    if (archive.length >= 2 && memcmp(archive.start, "\x1f\x8b", 2) == 0)
        return read_gzip(&reading);
    return archive_read_tar(&reading);
}
