/* Trees of files: what is copied and hashed of them, and what is not even looked at. */

#include "base/directory.h"
#include "base/directory_hash.h"
#include "base/directory_tree.h"
#include "base/memory.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOLE_BYTES ((off_t)100 << 20)

TestSuite(directory_tree, .init = scratch_begin, .fini = scratch_end);

static void write_words(const char *name, const char *words)
{
    scratch_write(name, words, strlen(words));
}

static bool is_there(const char *name)
{
    return access(scratch_path(name), F_OK) == 0;
}

static int copy(const char *from, const char *to)
{
    return directory_tree_copy(scratch_path(from), scratch_path(to), DIRECTORY_TREE_BYTES_MAX);
}

static const char *hash_of(const char *name)
{
    static char hexes[2][65];
    static unsigned next;
    crypto_hash_sha256_state state;
    unsigned char hash[crypto_hash_sha256_BYTES];
    char *hex = hexes[next++ % 2];

    crypto_hash_sha256_init(&state);
    cr_assert_eq(directory_hash(&state, scratch_path(name)), 0);
    crypto_hash_sha256_final(&state, hash);
    return sodium_bin2hex(hex, 65, hash, sizeof hash);
}

/* A file with words, a hole, words. */
static void write_hole(const char *name, off_t length)
{
    int fd;

    write_words(name, "begin");
    fd = open(scratch_path(name), O_WRONLY | O_CLOEXEC);
    cr_assert_eq(pwrite(fd, "end", 3, length - 3), 3);
    cr_assert_eq(close(fd), 0);
}

static const char *const marks[] = {DIRECTORY_MARK, "results.ndjson", "ledger.ndjson"};

Test(directory_tree, a_store_is_in_no_copy_and_changes_no_hash)
{
    char name[100];
    char before[65];

    write_words("bot/run", "run");
    write_words("bot/sub/data", "data");
    memcpy(before, hash_of("bot"), sizeof before);
    for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
        (void)snprintf(name, sizeof name, "bot/sub/cup-%zu/%s", i, marks[i]);
        write_words(name, "");
        (void)snprintf(name, sizeof name, "bot/sub/cup-%zu/master", i);
        write_words(name, "secret");
    }
    cr_assert_str_eq(hash_of("bot"), before);
    cr_assert_eq(copy("bot", "copy"), 0);
    cr_assert(is_there("copy/run") && is_there("copy/sub/data"));
    cr_assert_not(is_there("copy/sub/cup-0") || is_there("copy/sub/cup-1") ||
                  is_there("copy/sub/cup-2"));
    cr_assert_eq(copy("bot/sub/cup-0", "other"), -1);
    cr_assert_eq(errno, EPERM);
    cr_assert(directory_tree_holds_mark(scratch_path("bot")));
    cr_assert_not(directory_tree_holds_mark(scratch_path("copy")));
}

Test(directory_tree, nothing_but_files_folders_and_links_is_copied_and_no_link_is_followed)
{
    char target[20] = "";

    write_words("secret/file", "secret");
    write_words("bot/run", "run");
    cr_assert_eq(chmod(scratch_path("bot/run"), 0755), 0);
    cr_assert_eq(symlink("../secret", scratch_path("bot/link")), 0);
    cr_assert_eq(mkfifo(scratch_path("bot/fifo"), 0644), 0);
    cr_assert_eq(copy("bot", "copy"), 0);
    cr_assert_eq(access(scratch_path("copy/run"), X_OK), 0);
    cr_assert_eq(readlink(scratch_path("copy/link"), target, sizeof target), 9);
    cr_assert_str_eq(target, "../secret");
    cr_assert_not(is_there("copy/fifo"));
    cr_assert_eq(symlink("bot", scratch_path("top")), 0);
    cr_assert_eq(copy("top", "copy"), -1);
    cr_assert_eq(errno, ELOOP);
}

Test(directory_tree, a_copy_for_readers_cannot_be_changed)
{
    struct stat status;

    write_words("bot/run", "run");
    cr_assert_eq(directory_tree_copy_for(scratch_path("bot"), scratch_path("copy"), 0), 0);
    cr_assert_eq(stat(scratch_path("copy"), &status), 0);
    cr_assert_eq(status.st_mode & 0777, 0550);
    cr_assert_eq(stat(scratch_path("copy/run"), &status), 0);
    cr_assert_eq(status.st_mode & 0777, 0440);
    cr_assert_eq(chmod(scratch_path("copy"), 0700), 0);
}

Test(directory_tree, holes_stay_holes)
{
    struct stat status;
    char bytes[5];
    int fd;

    write_hole("bot/file", HOLE_BYTES);
    write_words("bot/empty", "");
    cr_assert_eq(chmod(scratch_path("bot/file"), 0640), 0);
    cr_assert_eq(copy("bot", "copy"), 0);
    cr_assert_eq(stat(scratch_path("copy/empty"), &status), 0);
    cr_assert_eq(status.st_size, 0);
    fd = open(scratch_path("copy/file"), O_RDONLY | O_CLOEXEC);
    cr_assert_eq(fstat(fd, &status), 0);
    cr_assert_eq(status.st_size, HOLE_BYTES);
    cr_assert_eq(status.st_mode & 0777, 0640);
    cr_assert_lt(status.st_blocks * 512, HOLE_BYTES / 10);
    cr_assert(pread(fd, bytes, 5, 0) == 5 && memcmp(bytes, "begin", 5) == 0);
    cr_assert(pread(fd, bytes, 5, HOLE_BYTES - 5) == 5 && memcmp(bytes, "\0\0end", 5) == 0);
    close(fd);
}

Test(directory_tree, holes_and_every_name_of_a_file_count)
{
    write_hole("bot/file", HOLE_BYTES);
    cr_assert_eq(link(scratch_path("bot/file"), scratch_path("bot/again")), 0);
    cr_assert_eq(directory_tree_copy(scratch_path("bot"), scratch_path("copy"), 2 * HOLE_BYTES), 0);
    cr_assert_eq(directory_tree_copy(scratch_path("bot"), scratch_path("copy"), 2 * HOLE_BYTES - 1),
                 -1);
    cr_assert_eq(errno, EFBIG);
}

/* A few files with holes would keep whoever reads them busy for days, and need no room. */
Test(directory_tree, the_length_of_all_files_together_is_bounded_whatever_they_hold)
{
    crypto_hash_sha256_state state;

    write_hole("bot/one", DIRECTORY_TREE_BYTES_MAX / 2);
    write_hole("bot/two", DIRECTORY_TREE_BYTES_MAX / 2 + 1);
    cr_assert_eq(copy("bot", "copy"), -1);
    cr_assert_eq(errno, EFBIG);
    write_hole("large", DIRECTORY_TREE_BYTES_MAX + 1);
    crypto_hash_sha256_init(&state);
    cr_assert_eq(directory_hash_file(&state, scratch_path("large")), -1);
    cr_assert_eq(errno, EFBIG);
    cr_assert_eq(unlink(scratch_path("bot/one")), 0);
    write_hole("bot/two", DIRECTORY_TREE_BYTES_MAX * 1000);
    cr_assert_eq(directory_hash(&state, scratch_path("bot")), -1);
    cr_assert_eq(errno, EFBIG);
}

Test(directory_tree, what_fits_can_be_copied_and_marked_folders_do_not_count)
{
    write_hole("bot/one", DIRECTORY_TREE_BYTES_MAX);
    scratch_write("bot/store/" DIRECTORY_MARK, "", 0);
    write_hole("bot/store/large", DIRECTORY_TREE_BYTES_MAX);
    cr_assert(directory_tree_fits(scratch_path("bot")));
    scratch_write("bot/deep/er/two", "x", 1);
    cr_assert_not(directory_tree_fits(scratch_path("bot")));
    cr_assert_eq(unlink(scratch_path("bot/one")), 0);
    cr_assert(directory_tree_fits(scratch_path("bot")));
    for (unsigned i = 0; i < DIRECTORY_TREE_ENTRIES_MAX; i++) {
        char name[20];

        (void)snprintf(name, sizeof name, "bot/%u", i);
        cr_assert_eq(symlink("x", scratch_path(name)), 0);
    }
    cr_assert_not(directory_tree_fits(scratch_path("bot")));
}

/* Each of these would block, or never end. */
Test(directory_tree, no_file_without_a_length_is_read)
{
    static const char *const paths[] = {"/proc/kmsg", "/dev/zero", "/proc/self/mem", NULL};
    crypto_hash_sha256_state state;

    crypto_hash_sha256_init(&state);
    for (size_t i = 0; paths[i] != NULL; i++)
        (void)directory_hash_file(&state, paths[i]);
    cr_assert_eq(mkfifo(scratch_path("fifo"), 0644), 0);
    cr_assert_eq(directory_hash_file(&state, scratch_path("fifo")), -1);
}

static const struct {
    const char *path;
    bool is_private;
} paths[] = {
    {"store", true},
    {"store/master", true},
    {"store/open/000001", true},
    {"store/logs", true},
    {"store/bots", true},
    {"store/bots/", true},
    {"store/builds", true},
    {"store/bots/anna", false},
    {"store/bots/anna/1", false},
    {"store/builds/0123", false},
    {"store/jobs/1", true},
    {"store/jobs/1/bots/anna", true},
    {"store/jobs/1/store/bots/anna", true},
    {"store/botsy/anna", true},
    {"store/bots/anna/1/store", true},
    {"store/bots/anna/1/store/bots/x", false},
    {"other", false},
    {"stores/x", false},
    {"", false},
};

Test(directory_tree, of_a_store_only_what_is_kept_for_a_bot_is_not_private)
{
    write_words("store/referee.lock", "");
    write_words("store/bots/anna/1/run", "");
    write_words("store/jobs/1/store/results.ndjson", "");
    write_words("store/bots/anna/1/store/ledger.ndjson", "");
    /* A bot of that name does not make those beside it private. */
    write_words("store/bots/results.ndjson/1/run", "");
    for (size_t i = 0; i < ARRAY_LEN(paths); i++)
        cr_expect_eq(directory_is_private(scratch_path(paths[i].path)), paths[i].is_private, "%s",
                     paths[i].path);
}

Test(directory_tree, nothing_leads_out_of_a_folder_that_a_path_is_opened_beneath)
{
    static const char *const outside[] = {"..",   "../secret", "/etc/passwd",   "sub/../../secret",
                                          "link", "absolute",  "sub/up/secret", "nothing"};
    int folder;
    int fd;

    write_words("secret", "secret");
    write_words("bot/sub/file", "file");
    cr_assert_eq(symlink("../secret", scratch_path("bot/link")), 0);
    cr_assert_eq(symlink(scratch_path("secret"), scratch_path("bot/absolute")), 0);
    cr_assert_eq(symlink("../..", scratch_path("bot/sub/up")), 0);
    cr_assert_eq(symlink("sub/file", scratch_path("bot/inside")), 0);
    folder = open(scratch_path("bot"), O_PATH | O_CLOEXEC);
    for (size_t i = 0; i < ARRAY_LEN(outside); i++)
        cr_expect_eq(directory_open_beneath(folder, outside[i], O_RDONLY), -1, "%s", outside[i]);
    fd = directory_open_beneath(folder, "inside", O_RDONLY);
    cr_assert_geq(fd, 0);
    close(fd);
    close(folder);
}
