/* Bots travel by content: the same files give the same bytes, and nothing is written elsewhere. */

#include "tournament/distribute/parcel.h"

#include "base/deal_random.h"
#include "support/scratch.h"
#include "tournament/play/clock_scale.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void begin_all(void)
{
    cr_assert_eq(deal_random_init(), 0);
    scratch_begin();
}

TestSuite(parcel, .init = begin_all, .fini = scratch_end);

static void write_file(const char *name, const char *content, mode_t mode)
{
    FILE *file = fopen(scratch_path(name), "w");

    cr_assert_not_null(file);
    fputs(content, file);
    fclose(file);
    cr_assert_eq(chmod(scratch_path(name), mode), 0);
}

static struct parcel pack(const char *name)
{
    struct parcel parcel = {0};

    cr_assert_eq(parcel_add(&parcel, scratch_path(name), ""), 0);
    parcel_finish(&parcel);
    return parcel;
}

Test(parcel, unpacked_files_give_the_same_parcel)
{
    struct parcel one, other;

    mkdir(scratch_path("bot"), 0755);
    mkdir(scratch_path("bot/lib"), 0755);
    write_file("bot/run", "#!/bin/sh\n", 0755);
    write_file("bot/lib/data", "x", 0644);
    cr_assert_eq(symlink("lib/data", scratch_path("bot/link")), 0);
    one = pack("bot");
    cr_assert_eq(parcel_unpack((struct span){one.bytes, one.length}, scratch_path("copy")), 0);
    other = pack("copy");
    cr_assert_str_eq(one.hash, other.hash);
    cr_assert_eq(access(scratch_path("copy/run"), X_OK), 0);
    parcel_free(&other);
    write_file("copy/lib/data", "y", 0644);
    other = pack("copy");
    cr_assert_str_neq(one.hash, other.hash);
    parcel_free(&other);
    parcel_free(&one);
}

Test(parcel, a_store_in_a_folder_stays_at_home)
{
    struct parcel parcel;

    mkdir(scratch_path("bot"), 0755);
    mkdir(scratch_path("bot/store"), 0700);
    write_file("bot/store/referee.lock", "", 0600);
    write_file("bot/store/master", "secret", 0600);
    write_file("bot/run", "x", 0755);
    parcel = pack("bot");
    cr_assert_null(memmem(parcel.bytes, parcel.length, "secret", 6));
    parcel_free(&parcel);
}

Test(parcel, nothing_is_written_outside_of_the_folder)
{
    static const char *const forged[] = {
        "f 644 4 1\n../ax",
        "f 644 5 1\n/tmp/x",
        "f 644 6 1\na/../bx",
        "f 644 1 1\n.x",
        "l 777 1 4\na/tmpf 644 3 1\na/bx",
        "f 644 9 1\na",
        "f 644 1 99\nax",
        "x 644 1 0\na",
        "junk",
        "d 755 2 0\na/",
        "f 644 4 1\na//bx",
    };

    for (size_t i = 0; i < ARRAY_LEN(forged); i++) {
        char name[20];

        snprintf(name, sizeof name, "to%zu", i);
        cr_assert_eq(parcel_unpack(span_of(forged[i]), scratch_path(name)), -1, "case %zu", i);
    }
    cr_assert_neq(access(scratch_path("a"), F_OK), 0);
}

Test(parcel, times_are_scaled_by_speed_within_bounds)
{
    cr_assert_eq(clock_scale_ms(1000, 0, 5), 1000);
    cr_assert_eq(clock_scale_ms(1000, 10, 10), 1000);
    cr_assert_eq(clock_scale_ms(1000, 10, 5), 2000);
    cr_assert_eq(clock_scale_ms(1000, 10, 1), 4000);
    cr_assert_eq(clock_scale_ms(1000, 10, 20), 500);
    cr_assert_eq(clock_scale_ms(1000, 10, 1000), 250);
    cr_assert_eq(clock_scale_ms(1, 10, 40), 1);
    cr_assert_eq(clock_scale_ms(0, 10, 5), 0);
}
