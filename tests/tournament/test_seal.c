/* Without the key nobody can read, change or make what coordinators and workers send. */

#include "tournament/distribute/seal.h"

#include "base/deal_random.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void begin_all(void)
{
    cr_assert_eq(deal_random_init(), 0);
    scratch_begin();
}

TestSuite(seal, .init = begin_all, .fini = scratch_end);

static int read_key(struct seal_key *key, const char *name, const char *content, mode_t mode)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "w");
    char message[200];
    struct text problem;

    text_start(&problem, message, sizeof message);
    cr_assert_not_null(file);
    fputs(content, file);
    fclose(file);
    cr_assert_eq(chmod(path, mode), 0);
    return seal_key_read(key, path, &problem);
}

Test(seal, only_the_same_key_and_kind_open_it)
{
    struct seal_key key, other;
    struct span bytes = span_of("the seed of block 7");
    size_t sealed_length, length;
    char *sealed;
    char *opened;

    cr_assert_eq(read_key(&key, "key", "0123456789abcdef", 0600), 0);
    cr_assert_eq(read_key(&other, "other", "0123456789abcdeF", 0600), 0);
    cr_assert_str_neq(key.name, other.name);
    sealed = seal_close(&key, SEAL_TASK, bytes, &sealed_length);
    cr_assert_null(memmem(sealed, sealed_length, "seed", 4));
    opened = seal_open(&key, SEAL_TASK, (struct span){sealed, sealed_length}, &length);
    cr_assert_str_eq(opened, "the seed of block 7");
    free(opened);
    cr_assert_null(seal_open(&key, SEAL_RESULT, (struct span){sealed, sealed_length}, &length));
    cr_assert_null(seal_open(&other, SEAL_TASK, (struct span){sealed, sealed_length}, &length));
    free(sealed);
}

Test(seal, no_bit_can_be_changed_and_no_byte_cut_off)
{
    struct seal_key key;
    size_t sealed_length, length;
    char *sealed;

    cr_assert_eq(read_key(&key, "key", "0123456789abcdef", 0600), 0);
    sealed = seal_close(&key, SEAL_SIGN, span_of("alive"), &sealed_length);
    for (size_t bit = 0; bit < 8 * sealed_length; bit++) {
        sealed[bit / 8] ^= (char)(1 << bit % 8);
        cr_assert_null(seal_open(&key, SEAL_SIGN, (struct span){sealed, sealed_length}, &length));
        sealed[bit / 8] ^= (char)(1 << bit % 8);
    }
    for (size_t cut = 0; cut < sealed_length; cut++)
        cr_assert_null(seal_open(&key, SEAL_SIGN, (struct span){sealed, cut}, &length));
    free(sealed);
}

Test(seal, a_key_is_long_enough_and_a_secret)
{
    struct seal_key key;

    cr_assert_eq(read_key(&key, "short", "0123456789abcde", 0600), -1);
    cr_assert_eq(read_key(&key, "open", "0123456789abcdef", 0644), -1);
    cr_assert_eq(read_key(&key, "fine", "0123456789abcdef", 0600), 0);
}
