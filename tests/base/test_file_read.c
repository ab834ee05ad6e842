/* Reading files that others may have put there. */

#include "base/file_read.h"

#include "support/scratch.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

TestSuite(file_read, .init = scratch_begin, .fini = scratch_end);

Test(file_read, all_bytes_of_a_file_are_read)
{
    struct file_read file;

    scratch_write("file", "a\0b", 3);
    cr_assert_eq(file_read(&file, scratch_path("file"), 3), 0);
    cr_assert(file.length == 3 && memcmp(file.bytes, "a\0b", 4) == 0);
    free(file.bytes);
    scratch_write("empty", "", 0);
    cr_assert_eq(file_read(&file, scratch_path("empty"), 3), 0);
    cr_assert(file.length == 0 && file.bytes[0] == '\0');
    free(file.bytes);
}

Test(file_read, what_is_not_a_file_or_too_large_is_refused)
{
    struct file_read file;

    scratch_write("file", "abc", 3);
    cr_assert_eq(file_read(&file, scratch_path("file"), 2), -1);
    cr_assert(errno == EFBIG && file.bytes == NULL);
    cr_assert_eq(mkfifo(scratch_path("pipe"), 0600), 0);
    cr_assert_eq(file_read(&file, scratch_path("pipe"), 2), -1);
    cr_assert(errno == EINVAL && S_ISFIFO(file.mode) && file.bytes == NULL);
    cr_assert_eq(file_read(&file, "/dev/zero", 2), -1);
    cr_assert_eq(errno, EINVAL);
    cr_assert_eq(file_read(&file, scratch_path("nothing"), 2), -1);
    cr_assert(errno == ENOENT && file.mode == 0 && file.bytes == NULL);
}
