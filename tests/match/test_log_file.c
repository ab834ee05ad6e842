/* Log files: what is on the disk while a log is written, and which file has its name. */

#include "match/log_file.h"

#include "match/log_zstd.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(log_file, .init = scratch_begin, .fini = scratch_end);

static struct log_file *begin(const char *name)
{
    struct log_file *log = log_file_open(scratch_path(name), false);

    cr_assert_not_null(log);
    log_file_add(log, "{\"a\":1}", 7);
    return log;
}

static void expect_file(const char *name, const char *bytes)
{
    size_t length;
    char *found = scratch_read(name, &length);

    cr_expect(length == strlen(bytes) && memcmp(found, bytes, length) == 0, "%s: %.*s", name,
              (int)length, found);
    free(found);
}

static bool is_there(const char *name)
{
    return access(scratch_path(name), F_OK) == 0;
}

static void close_log(struct log_file *log)
{
    char hash[LOG_RECORD_HASH_HEX];

    cr_assert_eq(log_file_close(log, hash), 0);
}

Test(log_file, records_are_in_the_partial_log_after_a_flush)
{
    struct log_file *log = begin("log");

    expect_file("log.partial", "");
    log_file_flush(log);
    expect_file("log.partial", "{\"a\":1}\n");
    log_file_add(log, "{}", 2);
    log_file_flush(log);
    log_file_flush(log);
    expect_file("log.partial", "{\"a\":1}\n{}\n");
    cr_assert_not(is_there("log"));
    log_file_free(log);
}

Test(log_file, an_old_log_is_replaced_only_by_a_complete_one)
{
    struct log_file *log;

    scratch_write("log", "old", 3);
    log = begin("log");
    log_file_free(log);
    expect_file("log", "old");
    expect_file("log.partial", "{\"a\":1}\n");
    log = begin("log");
    log_file_flush(log);
    expect_file("log", "old");
    close_log(log);
    cr_assert_not(is_there("log.partial"));
    expect_file("log", "{\"a\":1}\n{\"sha256\":"
                       "\"e346432021b04179518d9614f3560ccd71354a4ee101ddcb893d6959a9d6301c\"}\n");
}

static void expect_packed(const char *name, const char *bytes)
{
    char message[100];
    struct text problem;
    size_t length;
    char *packed = scratch_read(name, &length);
    char *found;

    text_start(&problem, message, sizeof message);
    found = log_zstd_unpack((struct span){packed, length}, 1000, &length, &problem);
    cr_assert_not_null(found, "%s", message);
    cr_expect_str_eq(found, bytes);
    free(found);
    free(packed);
}

/* Whether it was flushed before, or not. */
Test(log_file, a_log_to_be_compressed_is_plain_until_it_is_complete)
{
    for (unsigned flushes = 0; flushes < 3; flushes++) {
        struct log_file *log = begin("log.zst");

        for (unsigned i = 0; i < flushes; i++)
            log_file_flush(log);
        expect_file("log.partial", flushes > 0 ? "{\"a\":1}\n" : "");
        log_file_add(log, "{}", 2);
        log_file_free(log);
        expect_file("log.partial", "{\"a\":1}\n{}\n");
        cr_assert_eq(is_there("log.zst"), flushes > 0);
        log = begin("log.zst");
        for (unsigned i = 0; i < flushes; i++)
            log_file_flush(log);
        close_log(log);
        cr_assert_not(is_there("log.partial") || is_there("log.packing"));
        expect_packed("log.zst",
                      "{\"a\":1}\n{\"sha256\":"
                      "\"e346432021b04179518d9614f3560ccd71354a4ee101ddcb893d6959a9d6301c\"}\n");
    }
}

Test(log_file, the_plain_log_stays_if_it_cannot_be_compressed)
{
    char hash[LOG_RECORD_HASH_HEX];
    struct log_file *log = begin("log.zst");

    log_file_flush(log);
    cr_assert_eq(mkdir(scratch_path("log.packing"), 0700), 0);
    cr_assert_eq(log_file_close(log, hash), -1);
    cr_assert_eq(errno, EEXIST);
    expect_file("log.partial", "{\"a\":1}\n");
    cr_assert_not(is_there("log.zst"));
    /* What a killed referee has left does not matter. */
    cr_assert_eq(rmdir(scratch_path("log.packing")), 0);
    scratch_write("log.packing", "half", 4);
    log = begin("log.zst");
    log_file_flush(log);
    close_log(log);
    cr_assert_not(is_there("log.partial") || is_there("log.packing"));
}

Test(log_file, a_log_behind_a_link_is_replaced_and_the_link_stays)
{
    struct stat status;

    scratch_write("deep/log", "old", 3);
    cr_assert_eq(symlink("deep/log", scratch_path("link")), 0);
    close_log(begin("link"));
    cr_assert(lstat(scratch_path("link"), &status) == 0 && S_ISLNK(status.st_mode));
    cr_assert_not(is_there("deep/log.partial") || is_there("link.partial"));
    cr_assert(stat(scratch_path("deep/log"), &status) == 0 && status.st_size > 3);
}

Test(log_file, what_is_not_a_regular_file_is_written_to_as_it_is)
{
    char bytes[200] = "";
    struct log_file *log;
    int fd;

    cr_assert_eq(mkfifo(scratch_path("pipe"), 0600), 0);
    fd = open(scratch_path("pipe"), O_RDONLY | O_NONBLOCK);
    log = begin("pipe");
    cr_assert_null(log_file_partial_path(log));
    close_log(log);
    cr_assert_gt(read(fd, bytes, sizeof bytes - 1), 8);
    cr_assert_eq(strncmp(bytes, "{\"a\":1}\n{\"sha256\":", 18), 0);
    cr_assert_not(is_there("pipe.partial"));
    close(fd);
    log = log_file_open("/dev/null", true);
    cr_assert_null(log_file_partial_path(log));
    close_log(log);
}

Test(log_file, a_log_that_cannot_be_written_stays_partial)
{
    char hash[LOG_RECORD_HASH_HEX];
    struct log_file *log = begin("log");

    cr_assert_eq(mkdir(scratch_path("log"), 0700), 0);
    cr_assert_eq(log_file_close(log, hash), -1);
    cr_assert_eq(errno, EISDIR);
    cr_assert(is_there("log.partial"));
    log = log_file_open("/dev/full", false);
    log_file_add(log, "{}", 2);
    log_file_flush(log);
    cr_assert_eq(log_file_close(log, hash), -1);
    cr_assert_eq(errno, ENOSPC);
    cr_assert_null(log_file_open(scratch_path("nowhere/log"), false));
    cr_assert_eq(errno, ENOENT);
}

Test(log_file, a_log_that_another_writes_is_refused_and_stays_whole)
{
    struct log_file *log = begin("log");

    cr_assert_null(log_file_open(scratch_path("log"), false));
    cr_assert_eq(errno, EBUSY);
    log_file_flush(log);
    expect_file("log.partial", "{\"a\":1}\n");
    close_log(log);
    close_log(begin("log"));
    cr_assert_not(is_there("log.partial"));
}

Test(log_file, what_a_killed_referee_left_is_replaced)
{
    struct stat before;
    struct stat after;
    struct log_file *log;
    int kept;

    scratch_write("log.partial", "left over", 9);
    kept = open(scratch_path("log.partial"), O_RDONLY | O_CLOEXEC);
    cr_assert_eq(fstat(kept, &before), 0);
    log = begin("log");
    log_file_flush(log);
    expect_file("log.partial", "{\"a\":1}\n");
    cr_assert(stat(scratch_path("log.partial"), &after) == 0 && after.st_ino != before.st_ino);
    cr_assert(fstat(kept, &before) == 0 && before.st_size == 9);
    close(kept);
    log_file_free(log);
}

Test(log_file, a_link_or_a_pipe_in_place_of_the_partial_log_is_refused)
{
    scratch_write("precious", "gold", 4);
    cr_assert_eq(symlink("precious", scratch_path("log.partial")), 0);
    cr_assert_null(log_file_open(scratch_path("log"), false));
    cr_assert_eq(errno, EEXIST);
    cr_assert_eq(symlink("nothing", scratch_path("other.partial")), 0);
    cr_assert_null(log_file_open(scratch_path("other"), false));
    cr_assert_eq(errno, EEXIST);
    cr_assert_eq(mkfifo(scratch_path("pipe.partial"), 0600), 0);
    cr_assert_null(log_file_open(scratch_path("pipe"), false));
    cr_assert_eq(errno, EEXIST);
    expect_file("precious", "gold");
    cr_assert_not(is_there("nothing"));
}

/* Many processes open the same log at once: each of them is refused, or writes a whole log. */
Test(log_file, processes_that_want_the_same_log_do_not_mix_theirs)
{
    enum { PROCESSES = 8, LOGS = 50 };
    pid_t pids[PROCESSES];

    scratch_write("log.partial", "left over", 9);
    for (unsigned i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        for (unsigned written = 0; pids[i] == 0 && written < LOGS;) {
            struct log_file *log = log_file_open(scratch_path("log"), false);
            char hash[LOG_RECORD_HASH_HEX];

            if (log == NULL && errno != EBUSY)
                _exit(2);
            if (log == NULL)
                continue;
            log_file_add(log, "{\"a\":1}", 7);
            if (log_file_close(log, hash) != 0)
                _exit(3);
            written++;
        }
        if (pids[i] == 0)
            _exit(0);
    }
    for (unsigned i = 0; i < PROCESSES; i++) {
        int status = -1;

        cr_assert_eq(waitpid(pids[i], &status, 0), pids[i]);
        cr_expect_eq(status, 0, "process %u ended with %d", i, WEXITSTATUS(status));
    }
    expect_file("log", "{\"a\":1}\n{\"sha256\":"
                       "\"e346432021b04179518d9614f3560ccd71354a4ee101ddcb893d6959a9d6301c\"}\n");
    cr_assert_not(is_there("log.partial"));
}
