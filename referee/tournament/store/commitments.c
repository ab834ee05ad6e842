/* The file is cut into its lines once: the number of a line is that of its block. */

#include "tournament/store/commitments.h"

#include "base/memory.h"
#include "base/text.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct line {
    size_t end; /* of the line in the file, its newline included */
    char hash[LOG_RECORD_HASH_HEX];
};

struct commitments {
    char *bytes;
    struct line *lines;
    unsigned count;
    unsigned capacity;
};

static int read_line(struct span text, unsigned block, char hash[LOG_RECORD_HASH_HEX])
{
    static const char digits[] = "0123456789abcdef";
    struct span rest = text;
    long number = 0;

    if (span_read_number(span_cut(&rest, ' '), block, block, &number) != 0 || rest.start == NULL ||
        rest.length != LOG_RECORD_HASH_HEX - 1)
        return -1;
    memcpy(hash, rest.start, rest.length);
    hash[rest.length] = '\0';
    return strspn(hash, digits) == rest.length ? 0 : -1;
}

static void add_lines(struct commitments *commitments, size_t length)
{
    struct span rest = {commitments->bytes, length};

    while (rest.length > 0 && memchr(rest.start, '\n', rest.length) != NULL) {
        struct span text = span_cut(&rest, '\n');
        struct line line = {.end = (size_t)(text.start - commitments->bytes) + text.length + 1};

        if (read_line(text, commitments->count + 1, line.hash) != 0)
            return;
        if (commitments->count == commitments->capacity) {
            commitments->capacity = 2 * commitments->capacity + 64;
            commitments->lines =
                xrealloc(commitments->lines, commitments->capacity * sizeof *commitments->lines);
        }
        commitments->lines[commitments->count++] = line;
    }
}

/* Nobody waits for a pipe in its place. Returns NULL if it is not a file that can be read. */
static FILE *open_regular(const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat status;
    FILE *file = NULL;

    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        file = fdopen(fd, "r");
    if (file == NULL && fd >= 0)
        close(fd);
    return file;
}

struct commitments *commitments_read(const char *path)
{
    struct commitments *commitments = xcalloc(1, sizeof *commitments);
    FILE *file = open_regular(path);
    size_t size = 0;
    ssize_t length = file != NULL ? getdelim(&commitments->bytes, &size, '\0', file) : -1;

    if (file != NULL)
        fclose(file);
    if (length > 0)
        add_lines(commitments, (size_t)length);
    return commitments;
}

void commitments_free(struct commitments *commitments)
{
    if (commitments == NULL)
        return;
    free(commitments->bytes);
    free(commitments->lines);
    free(commitments);
}

const char *commitments_find(const struct commitments *commitments, unsigned block)
{
    return block >= 1 && block <= commitments->count ? commitments->lines[block - 1].hash : NULL;
}

bool commitments_hash(const struct commitments *commitments, unsigned blocks,
                      char hash[LOG_RECORD_HASH_HEX])
{
    unsigned char digest[crypto_hash_sha256_BYTES];

    if (blocks > commitments->count)
        return false;
    crypto_hash_sha256(digest, (const unsigned char *)commitments->bytes,
                       blocks > 0 ? commitments->lines[blocks - 1].end : 0);
    sodium_bin2hex(hash, LOG_RECORD_HASH_HEX, digest, sizeof digest);
    return true;
}
