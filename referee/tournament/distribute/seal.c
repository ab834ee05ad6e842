/* A sealed text is a random nonce, the bytes encrypted with XChaCha20, and an HMAC-SHA256 over its
 * kind and both. Encryption and HMAC have keys of their own, derived from the file. */

#include "tournament/distribute/seal.h"

#include "base/file_read.h"
#include "base/memory.h"

#include <errno.h>
#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define KEY_FILE_LEAST 16
#define KEY_FILE_MOST 4096
#define NONCE crypto_stream_xchacha20_NONCEBYTES
#define TAG crypto_auth_hmacsha256_BYTES

static const char *const labels[] = {
    [SEAL_TASK] = "referee task 1",     [SEAL_SIGN] = "referee sign 1",
    [SEAL_RESULT] = "referee result 1", [SEAL_REQUEST] = "referee request 1",
    [SEAL_FILES] = "referee files 1",
};

static void derive(unsigned char to[TAG], const unsigned char root[TAG], const char *label)
{
    crypto_auth_hmacsha256(to, (const unsigned char *)label, strlen(label), root);
}

int seal_key_read(struct seal_key *key, const char *path, struct text *problem)
{
    unsigned char root[TAG];
    unsigned char name[TAG];
    struct file_read file;

    if (file_read(&file, path, KEY_FILE_MOST) != 0) {
        text_printf(problem, "%s: %s", path,
                    errno == EFBIG ? "a key has at most 4096 bytes" : strerror(errno));
        return -1;
    }
    if ((file.mode & 077) != 0)
        text_printf(problem, "%s: others can read it; `chmod 600` makes it a secret", path);
    else if (file.length < KEY_FILE_LEAST)
        text_printf(problem, "%s: a key has at least %d bytes, as from `openssl rand -hex 32`",
                    path, KEY_FILE_LEAST);
    else
        crypto_hash_sha256(root, (const unsigned char *)file.bytes, file.length);
    sodium_memzero(file.bytes, file.length);
    free(file.bytes);
    if (problem->length > 0)
        return -1;
    derive(key->secret, root, "referee hmac");
    derive(key->cipher, root, "referee cipher");
    derive(name, root, "referee name");
    sodium_bin2hex(key->name, sizeof key->name, name, (SEAL_NAME_HEX - 1) / 2);
    return 0;
}

static void find_tag(const struct seal_key *key, enum seal_kind kind, const char *bytes,
                     size_t length, unsigned char tag[TAG])
{
    crypto_auth_hmacsha256_state state;

    crypto_auth_hmacsha256_init(&state, key->secret, sizeof key->secret);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)labels[kind],
                                  strlen(labels[kind]) + 1);
    crypto_auth_hmacsha256_update(&state, (const unsigned char *)bytes, length);
    crypto_auth_hmacsha256_final(&state, tag);
}

char *seal_close(const struct seal_key *key, enum seal_kind kind, struct span bytes, size_t *length)
{
    char *sealed = xrealloc(NULL, NONCE + bytes.length + TAG);

    randombytes_buf(sealed, NONCE);
    crypto_stream_xchacha20_xor((unsigned char *)sealed + NONCE, (const unsigned char *)bytes.start,
                                bytes.length, (const unsigned char *)sealed, key->cipher);
    find_tag(key, kind, sealed, NONCE + bytes.length,
             (unsigned char *)sealed + NONCE + bytes.length);
    *length = NONCE + bytes.length + TAG;
    return sealed;
}

char *seal_open(const struct seal_key *key, enum seal_kind kind, struct span sealed, size_t *length)
{
    unsigned char tag[TAG];
    char *bytes;

    if (sealed.length < NONCE + TAG)
        return NULL;
    find_tag(key, kind, sealed.start, sealed.length - TAG, tag);
    if (sodium_memcmp(tag, sealed.start + sealed.length - TAG, TAG) != 0)
        return NULL;
    *length = sealed.length - NONCE - TAG;
    bytes = xcalloc(*length + 1, 1);
    crypto_stream_xchacha20_xor((unsigned char *)bytes, (const unsigned char *)sealed.start + NONCE,
                                *length, (const unsigned char *)sealed.start, key->cipher);
    return bytes;
}

void seal_hash(struct span bytes, char hex[SEAL_HASH_HEX])
{
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256(hash, (const unsigned char *)bytes.start, bytes.length);
    sodium_bin2hex(hex, SEAL_HASH_HEX, hash, sizeof hash);
}
