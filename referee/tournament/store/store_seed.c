/* Where the cards come from: the master seed, the seed of each deal, and the commitments. These are
 * written before a deal is played, so that it cannot be changed afterwards. */

#include "tournament/store/store_private.h"

#include "base/directory.h"
#include "base/file_read.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A larger file has more lines than a tournament has blocks. */
#define COMMITMENTS_MAX_BYTES ((size_t)256 << 20)

/* The master seed: a line of hexadecimal digits. */

static int write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);

        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

/* Replaces a file in one step, synced. Returns 0, or -1 with errno. */
static int replace_file(const struct store *store, const char *name, mode_t mode, const char *bytes,
                        size_t length)
{
    char new_name[32];
    int result = -1;
    int fd;

    snprintf(new_name, sizeof new_name, "%s.new", name);
    (void)unlinkat(store->folder_fd, new_name, 0);
    fd = openat(store->folder_fd, new_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0)
        return -1;
    if (write_all(fd, bytes, length) == 0 && fsync(fd) == 0)
        result = renameat(store->folder_fd, new_name, store->folder_fd, name);
    close(fd);
    return result == 0 ? fsync(store->folder_fd) : -1;
}

int store_write_master(struct store *store)
{
    char hex[STORE_MASTER_BYTES];

    sodium_bin2hex(hex, sizeof hex, store->master, sizeof store->master);
    hex[sizeof hex - 1] = '\n';
    return replace_file(store, "master", 0600, hex, sizeof hex);
}

int store_remove_master(struct store *store)
{
    if ((unlinkat(store->folder_fd, "commitments", 0) != 0 && errno != ENOENT) ||
        (unlinkat(store->folder_fd, "master", 0) != 0 && errno != ENOENT))
        return -1;
    return fsync(store->folder_fd);
}

int store_read_master(struct store *store, struct text *problem)
{
    char hex[STORE_MASTER_BYTES + 1];
    int fd = openat(store->folder_fd, "master", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, hex, sizeof hex) : -1;
    size_t length = 0;

    if (fd >= 0)
        close(fd);
    if (got == STORE_MASTER_BYTES && hex[STORE_MASTER_BYTES - 1] == '\n' &&
        sodium_hex2bin(store->master, sizeof store->master, hex, STORE_MASTER_BYTES - 1, NULL,
                       &length, NULL) == 0 &&
        length == sizeof store->master)
        return 0;
    text_printf(problem,
                "%s: its file `master`, the secret of the deals, is missing or damaged: restore it "
                "from a backup. Without it no match can be played: `referee standings` still shows "
                "the results, and --fresh deletes them and starts over",
                store->folder);
    return -1;
}

bool store_reveal(struct store *store)
{
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    return store_read_master(store, &problem) == 0;
}

void store_seed(const struct store *store, unsigned block, uint8_t seed[DEAL_RANDOM_SEED_BYTES])
{
    char label[32];
    int length = snprintf(label, sizeof label, "deal %u", block);

    crypto_auth_hmacsha256(seed, (const unsigned char *)label, (unsigned long long)length,
                           store->master);
}

void store_id(const struct store *store, char id[STORE_ID_HEX])
{
    static const char label[] = "store id";
    unsigned char hash[crypto_auth_hmacsha256_BYTES];

    crypto_auth_hmacsha256(hash, (const unsigned char *)label, sizeof label - 1, store->master);
    sodium_bin2hex(id, STORE_ID_HEX, hash, (STORE_ID_HEX - 1) / 2);
}

/* Commitments: a line per block, with its number and the SHA-256 of its seed. */

static void write_commitment(const struct store *store, unsigned block, char line[96])
{
    uint8_t seed[DEAL_RANDOM_SEED_BYTES];
    unsigned char hash[crypto_hash_sha256_BYTES];
    char hex[LOG_RECORD_HASH_HEX];

    store_seed(store, block, seed);
    crypto_hash_sha256(hash, seed, sizeof seed);
    sodium_bin2hex(hex, sizeof hex, hash, sizeof hash);
    snprintf(line, 96, "%u %s\n", block, hex);
}

/* The lines of that many blocks, and their hash. Free them. */
static char *commitments_of(const struct store *store, unsigned blocks,
                            char hash[LOG_RECORD_HASH_HEX])
{
    char *lines = xcalloc((size_t)blocks + 1, 96);
    unsigned char digest[crypto_hash_sha256_BYTES];
    size_t length = 0;

    for (unsigned block = 1; block <= blocks; block++) {
        write_commitment(store, block, lines + length);
        length += strlen(lines + length);
    }
    crypto_hash_sha256(digest, (const unsigned char *)lines, length);
    sodium_bin2hex(hash, LOG_RECORD_HASH_HEX, digest, sizeof digest);
    return lines;
}

/* The file may have more lines: those of deals that are not recorded yet. */
static const char *find_loss(const struct store *store, const char *lines)
{
    char *path = directory_join(store->folder, "commitments");
    struct file_read file;
    const char *loss = "was changed";

    if (file_read(&file, path, COMMITMENTS_MAX_BYTES) != 0)
        loss = errno == ENOENT ? "was missing" : loss;
    else if (file.length >= strlen(lines) && memcmp(file.bytes, lines, strlen(lines)) == 0)
        loss = NULL;
    free(file.bytes);
    free(path);
    return loss;
}

int store_check_commitments(struct store *store, struct text *problem)
{
    char hash[LOG_RECORD_HASH_HEX];
    char *lines = commitments_of(store, store->commitment_count, hash);
    int result = 0;

    if (strcmp(hash, store->commitments_hash) == 0)
        store->lost_commitments = find_loss(store, lines);
    else
        result = store_fail(problem, store->folder,
                            "its `" STORE_JOURNAL "` and its `master` are not of the same "
                            "tournament: restore the one that was replaced from a backup. `referee "
                            "standings` still shows the results, and --fresh deletes them and "
                            "starts over");
    free(lines);
    return result;
}

int store_restore_commitments(struct store *store, struct text *problem)
{
    char hash[LOG_RECORD_HASH_HEX];
    char *lines = commitments_of(store, store->commitment_count, hash);
    int result = replace_file(store, "commitments", 0644, lines, strlen(lines));

    if (result != 0)
        text_printf(problem, "%s/commitments: it cannot be written again: %s", store->folder,
                    strerror(errno));
    free(lines);
    return result;
}

int store_commit(struct store *store, unsigned blocks)
{
    char hash[LOG_RECORD_HASH_HEX];
    char *lines;
    int result;

    if (blocks <= store->committed)
        return 0;
    if (blocks < store->commitment_count)
        blocks = store->commitment_count;
    lines = commitments_of(store, blocks, hash);
    result = replace_file(store, "commitments", 0644, lines, strlen(lines));
    if (result == 0 && blocks > store->commitment_count)
        store_add_commitments(store, blocks, hash);
    if (result == 0)
        result = store_write(store);
    if (result == 0) {
        store->committed = blocks;
        store_drop_replaced(store);
    }
    free(lines);
    return result;
}
