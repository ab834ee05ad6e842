/* Trees of files, copied and measured. */

#include "base/directory_tree.h"

#include "support/scratch.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(directory_tree, .init = scratch_begin, .fini = scratch_end);

#define HOLE ((off_t)40 << 20)

static char *path_of(const char *name)
{
    return strdup(scratch_path(name));
}

/* A hole, then a byte, then a hole. */
static void make_sparse(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0640);

    cr_assert_eq(pwrite(fd, "x", 1, HOLE), 1);
    cr_assert_eq(ftruncate(fd, 2 * HOLE), 0);
    cr_assert_eq(close(fd), 0);
}

Test(directory_tree, a_copy_has_the_same_bytes_and_keeps_holes)
{
    char *from = path_of("from"), *to = path_of("to");
    struct stat status;
    size_t length;
    char *file;
    char byte = 0;
    int fd;

    scratch_write("from/deep/text", "some text", 9);
    scratch_write("from/empty", "", 0);
    make_sparse(scratch_path("from/sparse"));
    cr_assert_eq(symlink("deep/text", scratch_path("from/link")), 0);
    cr_assert_eq(directory_tree_copy(from, to), 0);
    file = scratch_read("to/link", &length);
    cr_expect(length == 9 && memcmp(file, "some text", 9) == 0);
    free(file);
    cr_assert_eq(stat(scratch_path("to/empty"), &status), 0);
    cr_expect_eq(status.st_size, 0);
    cr_assert_eq(stat(scratch_path("to/sparse"), &status), 0);
    cr_expect_eq(status.st_size, 2 * HOLE);
    cr_expect_eq(status.st_mode & 0777, 0640);
    cr_expect_lt(status.st_blocks * 512, HOLE / 2, "the holes are on the disk");
    fd = open(scratch_path("to/sparse"), O_RDONLY);
    cr_expect(pread(fd, &byte, 1, HOLE) == 1 && byte == 'x');
    close(fd);
    free(from);
    free(to);
}

Test(directory_tree, holes_and_every_name_of_a_file_count)
{
    char *from = path_of("from");
    char *sparse = path_of("from/sparse");

    scratch_write("from/deep/text", "some text", 9);
    cr_expect_eq(directory_tree_bytes(from), 9);
    make_sparse(sparse);
    cr_assert_eq(link(sparse, scratch_path("from/deep/again")), 0);
    cr_assert_eq(symlink("/usr", scratch_path("from/elsewhere")), 0);
    cr_expect_eq(directory_tree_bytes(from), 9 + 4 * HOLE);
    cr_expect_eq(directory_tree_bytes("/no/such/folder"), INT64_MAX);
    free(from);
    free(sparse);
}
