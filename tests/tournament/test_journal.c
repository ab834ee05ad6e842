/* The journal: what was written is there again, what was torn is dropped, and damage is found. */

#include "tournament/store/journal.h"

#include "base/memory.h"
#include "support/scratch.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_NAME "journal"

TestSuite(journal, .init = scratch_begin, .fini = scratch_end);

/* The numbers that records held, in their order. */
static struct {
    long long numbers[100];
    unsigned count;
    long long refused; /* a number that is not taken; 0: all are */
} taken;

static int take(void *context, const struct json_node *record, struct text *problem)
{
    long long number = json_member_number(record, "n", -1);

    (void)context;
    if (number == taken.refused) {
        text_add(problem, "no such number");
        return -1;
    }
    taken.numbers[taken.count++] = number;
    return 0;
}

static char problem_words[300];

static struct journal *open_again(bool is_read_only)
{
    struct text problem;

    taken.count = 0;
    text_start(&problem, problem_words, sizeof problem_words);
    return journal_open(scratch_path(FILE_NAME), is_read_only, take, NULL, &problem);
}

static void add(struct journal *journal, int from, int to)
{
    char record[40];

    for (int number = from; number <= to; number++) {
        int length = snprintf(record, sizeof record, "{\"n\":%d}", number);

        journal_add(journal, record, (size_t)length);
    }
}

/* A journal with the records 1 to `count`, and its bytes. */
static char *make(int count, size_t *length)
{
    struct journal *journal;

    (void)unlink(scratch_path(FILE_NAME));
    journal = open_again(false);
    add(journal, 1, count);
    cr_assert_eq(journal_write(journal), 0);
    journal_free(journal);
    return scratch_read(FILE_NAME, length);
}

/* Whether exactly the records 1 to `count` are there. */
static void expect_taken(unsigned count)
{
    cr_assert_eq(taken.count, count, "%u records, not %u", taken.count, count);
    for (unsigned i = 0; i < count; i++)
        cr_assert_eq(taken.numbers[i], (long long)i + 1);
}

static size_t size_of_file(void)
{
    struct stat status;

    cr_assert_eq(stat(scratch_path(FILE_NAME), &status), 0);
    return (size_t)status.st_size;
}

Test(journal, records_that_were_written_are_read_again)
{
    struct journal *journal = open_again(false);

    expect_taken(0);
    for (int i = 1; i <= 20; i += 2) {
        add(journal, i, i + 1);
        cr_assert(journal_is_waiting(journal));
        cr_assert_eq(journal_write(journal), 0);
        cr_assert_not(journal_is_waiting(journal));
    }
    journal_free(journal);
    journal = open_again(false);
    expect_taken(20);
    cr_assert_eq(journal_dropped(journal), 0);
    add(journal, 21, 21);
    cr_assert_eq(journal_write(journal), 0);
    cr_assert_eq(journal_write(journal), 0);
    journal_free(journal);
    journal_free(open_again(true));
    expect_taken(21);
}

Test(journal, nothing_counts_before_it_is_written)
{
    struct journal *journal = open_again(false);

    add(journal, 1, 5);
    cr_assert_eq(size_of_file(), 0);
    journal_free(journal);
    journal_free(open_again(true));
    expect_taken(0);
}

Test(journal, a_last_line_that_is_torn_anywhere_is_dropped)
{
    size_t length;
    char *bytes = make(3, &length);
    size_t last = (size_t)((char *)memrchr(bytes, '\n', length - 1) - bytes) + 1;

    for (size_t cut = last; cut < length; cut++) {
        struct journal *journal;

        scratch_write(FILE_NAME, bytes, cut);
        journal_free(open_again(true));
        expect_taken(2);
        cr_assert_eq(size_of_file(), cut, "reading changed the file");
        journal = open_again(false);
        expect_taken(2);
        cr_assert_eq(journal_dropped(journal), cut - last);
        add(journal, 3, 3);
        cr_assert_eq(journal_write(journal), 0);
        journal_free(journal);
        cr_assert_eq(size_of_file(), length);
        journal_free(open_again(true));
        expect_taken(3);
    }
    free(bytes);
}

/* The last line may be half of something, so a byte of it that is wrong takes it away; and so does
 * the line end before it, which makes one line of two. */
Test(journal, every_changed_byte_before_the_last_line_is_found)
{
    size_t length;
    char *bytes = make(4, &length);
    size_t last = (size_t)((char *)memrchr(bytes, '\n', length - 1) - bytes) + 1;
    unsigned line = 1;

    for (size_t at = 0; at < length; at++) {
        struct journal *journal;
        size_t left = length;
        char wanted[20];

        (void)snprintf(wanted, sizeof wanted, "line %u:", line);
        line += bytes[at] == '\n';
        bytes[at] ^= 1;
        scratch_write(FILE_NAME, bytes, length);
        bytes[at] ^= 1;
        journal = open_again(false);
        if (at + 1 < last) {
            cr_assert_null(journal, "byte %zu", at);
            cr_assert_eq(strncmp(problem_words, wanted, strlen(wanted)), 0, "byte %zu: %s", at,
                         problem_words);
        } else {
            expect_taken(at + 1 == last ? 2 : 3);
            cr_assert_gt(journal_dropped(journal), 0);
            left = length - journal_dropped(journal);
        }
        journal_free(journal);
        cr_assert_eq(size_of_file(), left);
    }
    free(bytes);
}

/* Which lines of four are there, in which order, and where that is noticed; 0: the last is
 * dropped. */
static const struct {
    unsigned lines[6];
    unsigned found;
} orders[] = {
    {{2, 3, 4}, 1},       {{1, 3, 4}, 2},    {{1, 2, 4}, 0}, {{2, 1, 3, 4}, 1},
    {{1, 1, 2, 3, 4}, 2}, {{1, 2, 3, 3}, 0}, {{1, 4, 3}, 2},
};

Test(journal, lines_that_are_missing_doubled_or_out_of_place_are_found)
{
    size_t length;
    char *bytes = make(4, &length);
    size_t line = length / 4;

    for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
        char *mixed = xcalloc(8, line);
        unsigned count = 0;
        struct journal *journal;

        for (; orders[i].lines[count] != 0; count++)
            memcpy(mixed + count * line, bytes + (orders[i].lines[count] - 1) * line, line);
        scratch_write(FILE_NAME, mixed, count * line);
        journal = open_again(false);
        cr_assert_eq(journal == NULL, orders[i].found > 0, "%zu", i);
        if (journal != NULL)
            cr_assert_eq(journal_dropped(journal), line, "%zu", i);
        else
            cr_assert_eq(problem_words[5], (char)('0' + orders[i].found), "%zu: %s", i,
                         problem_words);
        journal_free(journal);
        free(mixed);
    }
    free(bytes);
}

static void limit_file_size(size_t bytes)
{
    struct rlimit limit;

    (void)signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes > 0 ? bytes : limit.rlim_max;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

Test(journal, a_failed_write_leaves_nothing_and_can_be_tried_again)
{
    struct journal *journal = open_again(false);
    size_t length;

    add(journal, 1, 2);
    cr_assert_eq(journal_write(journal), 0);
    length = size_of_file();
    add(journal, 3, 5);
    for (size_t room = 1; room < length; room += 7) {
        int result;
        int error;

        limit_file_size(length + room);
        result = journal_write(journal);
        error = errno;
        limit_file_size(0);
        cr_assert_eq(result, -1);
        cr_assert_eq(error, EFBIG);
        cr_assert(journal_is_waiting(journal));
        cr_assert_eq(size_of_file(), length, "half a line is left");
    }
    cr_assert_eq(journal_write(journal), 0);
    journal_free(journal);
    journal_free(open_again(true));
    expect_taken(5);
}

Test(journal, reading_makes_no_file_and_a_refusal_is_passed_on)
{
    size_t length;

    cr_assert_null(open_again(true));
    cr_assert_str_eq(problem_words, "No such file or directory");
    cr_assert_neq(access(scratch_path(FILE_NAME), F_OK), 0);
    free(make(3, &length));
    taken.refused = 2;
    cr_assert_null(open_again(true));
    cr_assert_str_eq(problem_words, "no such number");
    taken.refused = 0;
}

Test(journal, records_added_since_a_mark_can_be_dropped)
{
    struct journal *journal = open_again(false);
    size_t mark;

    add(journal, 1, 2);
    cr_assert_eq(journal_write(journal), 0);
    mark = journal_mark(journal);
    add(journal, 3, 5);
    journal_return(journal, mark);
    cr_expect_not(journal_is_waiting(journal));
    add(journal, 6, 7);
    mark = journal_mark(journal);
    add(journal, 8, 8);
    journal_return(journal, mark);
    add(journal, 9, 9);
    cr_assert_eq(journal_write(journal), 0);
    journal_free(journal);
    journal = open_again(true);
    cr_assert_not_null(journal, "%s", problem_words);
    cr_assert_eq(taken.count, 5);
    cr_expect_eq(taken.numbers[2], 6);
    cr_expect_eq(taken.numbers[4], 9);
    journal_free(journal);
}
