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
    long long numbers[300];
    unsigned count;
    long long refused; /* a number that is not taken; 0: all are */
} taken;

static int take(void *context, const struct json_node *record, struct span bytes,
                struct text *problem)
{
    (void)bytes;
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

static const char *find_way_out(void *context, unsigned long good_lines)
{
    (void)context;
    return good_lines > 0 ? "use --salvage" : "restore it from a backup";
}

static struct journal *open_again(enum journal_mode mode)
{
    static const struct journal_reader reader = {take, find_way_out, NULL};
    struct text problem;

    taken.count = 0;
    text_start(&problem, problem_words, sizeof problem_words);
    return journal_open(scratch_path(FILE_NAME), mode, &reader, &problem);
}

static void add(struct journal *journal, int from, int to)
{
    char record[40];

    for (int number = from; number <= to; number++) {
        int length = snprintf(record, sizeof record, "{\"n\":%d}", number);

        journal_add(journal, record, (size_t)length);
    }
}

/* A journal with the records 1 to `count`, written and synced in groups of that many, and its
 * bytes. */
static char *make(int count, int group, size_t *length)
{
    struct journal *journal;

    (void)unlink(scratch_path(FILE_NAME));
    journal = open_again(JOURNAL_WRITE);
    for (int first = 1; first <= count; first += group) {
        add(journal, first, first + group - 1 < count ? first + group - 1 : count);
        cr_assert_eq(journal_write(journal), 0);
    }
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
    struct journal *journal = open_again(JOURNAL_WRITE);

    expect_taken(0);
    for (int i = 1; i <= 20; i += 2) {
        add(journal, i, i + 1);
        cr_assert(journal_is_waiting(journal));
        cr_assert_eq(journal_write(journal), 0);
        cr_assert_not(journal_is_waiting(journal));
    }
    journal_free(journal);
    journal = open_again(JOURNAL_WRITE);
    expect_taken(20);
    cr_assert_eq(journal_loss(journal)->bytes, 0);
    add(journal, 21, 21);
    cr_assert_eq(journal_write(journal), 0);
    cr_assert_eq(journal_write(journal), 0);
    journal_free(journal);
    journal_free(open_again(JOURNAL_READ));
    expect_taken(21);
}

Test(journal, nothing_counts_before_it_is_written)
{
    struct journal *journal = open_again(JOURNAL_WRITE);

    add(journal, 1, 5);
    cr_assert_eq(size_of_file(), 0);
    journal_free(journal);
    journal_free(open_again(JOURNAL_READ));
    expect_taken(0);
}

/* How many lines end before an offset, and where the line begins that ends after that many. */
static unsigned lines_before(const char *bytes, size_t offset)
{
    unsigned lines = 0;

    for (size_t i = 0; i < offset; i++)
        lines += bytes[i] == '\n';
    return lines;
}

static size_t start_of_line(const char *bytes, unsigned lines)
{
    size_t at = 0;

    while (lines > 0)
        lines -= bytes[at++] == '\n';
    return at;
}

/* Opens what a power failure has left of `bytes`, of which the first `kept` lines are whole. */
static void expect_dropped(const char *bytes, unsigned kept, const char *where)
{
    size_t left = size_of_file();
    struct journal *journal = open_again(JOURNAL_READ);

    cr_assert_not_null(journal, "%s: %s", where, problem_words);
    expect_taken(kept);
    cr_assert_eq(journal_count(journal), kept);
    journal_free(journal);
    journal = open_again(JOURNAL_WRITE);
    cr_assert_not_null(journal, "%s: %s", where, problem_words);
    expect_taken(kept);
    cr_assert_eq(size_of_file(), left, "opening it changed the file");
    cr_assert_eq(journal_loss(journal)->bytes, left - start_of_line(bytes, kept), "%s", where);
    cr_assert_eq(journal_loss(journal)->line, kept + 1);
    add(journal, (int)kept + 1, (int)kept + 1);
    cr_assert_eq(journal_write(journal), 0);
    journal_free(journal);
    journal = open_again(JOURNAL_READ);
    expect_taken(kept + 1);
    cr_assert_eq(journal_loss(journal)->bytes, 0);
    journal_free(journal);
}

static const int group_sizes[] = {1, 2, 5};

Test(journal, a_last_group_that_is_torn_anywhere_is_dropped_from_there)
{
    for (size_t i = 0; i < ARRAY_LEN(group_sizes); i++) {
        size_t length;
        char *bytes = make(2 * group_sizes[i], group_sizes[i], &length);

        for (size_t cut = length / 2 + 10; cut < length; cut++) {
            unsigned kept = lines_before(bytes, cut);

            scratch_write(FILE_NAME, bytes, cut);
            if (start_of_line(bytes, kept) < cut)
                expect_dropped(bytes, kept, "torn");
        }
        free(bytes);
    }
}

/* Writes `bytes` with zeros from `from` to `to`, which are in the last group. */
static void expect_hole(const char *bytes, size_t length, size_t from, size_t to)
{
    char *changed = xcalloc(length, 1);
    char where[60];

    (void)snprintf(where, sizeof where, "%zu bytes with zeros from %zu to %zu", length, from, to);
    memcpy(changed, bytes, length);
    memset(changed + from, 0, to - from);
    scratch_write(FILE_NAME, changed, length);
    expect_dropped(bytes, lines_before(bytes, from), where);
    free(changed);
}

Test(journal, zeros_anywhere_in_the_last_group_are_dropped_with_what_follows)
{
    static const size_t holes[] = {1, 13, 64, 200, 100000};

    for (size_t i = 0; i < ARRAY_LEN(group_sizes); i++) {
        size_t length;
        char *bytes = make(2 * group_sizes[i], group_sizes[i], &length);
        size_t start = start_of_line(bytes, (unsigned)group_sizes[i]);

        for (size_t from = start; from < length; from += 3) {
            for (size_t j = 0; j < ARRAY_LEN(holes); j++)
                expect_hole(bytes, length, from,
                            from + holes[j] < length ? from + holes[j] : length);
        }
        free(bytes);
    }
}

Test(journal, lost_pages_of_a_large_group_are_dropped_with_what_follows)
{
    size_t length;
    char *bytes = make(250, 250, &length);

    for (size_t page = 0; page < length; page += 4096)
        expect_hole(bytes, length, page, page + 4096 < length ? page + 4096 : length);
    expect_hole(bytes, length, 0, length);
    free(bytes);
}

/* Whether the file is refused for the damage of a line, and stays as it is. */
static void expect_refused(unsigned line, const char *where)
{
    size_t length;
    char *before = scratch_read(FILE_NAME, &length);
    size_t length_after;
    char *after;
    char wanted[20];

    (void)snprintf(wanted, sizeof wanted, "line %u:", line);
    cr_assert_null(open_again(JOURNAL_READ), "%s", where);
    cr_assert_null(open_again(JOURNAL_WRITE), "%s", where);
    cr_assert_eq(strncmp(problem_words, wanted, strlen(wanted)), 0, "%s: %s", where, problem_words);
    cr_assert_not_null(strstr(problem_words, line > 1 ? "--salvage" : "from a backup"), "%s",
                       problem_words);
    after = scratch_read(FILE_NAME, &length_after);
    cr_assert_eq(length_after, length);
    cr_assert_eq(memcmp(before, after, length), 0);
    free(before);
    free(after);
}

Test(journal, zeros_in_an_earlier_group_are_damage)
{
    static const size_t holes[] = {1, 64, 200};

    for (size_t i = 0; i < ARRAY_LEN(group_sizes); i++) {
        size_t length;
        char *bytes = make(3 * group_sizes[i], group_sizes[i], &length);
        size_t last = start_of_line(bytes, 2 * (unsigned)group_sizes[i]);
        char *changed = xcalloc(length, 1);

        for (size_t from = 0; from < last; from += 7) {
            for (size_t j = 0; j < ARRAY_LEN(holes); j++) {
                size_t to = from + holes[j] < last ? from + holes[j] : last;

                memcpy(changed, bytes, length);
                memset(changed + from, 0, to - from);
                scratch_write(FILE_NAME, changed, length);
                expect_refused(lines_before(bytes, from) + 1, "zeros");
            }
        }
        free(changed);
        free(bytes);
    }
}

/* The last group may be half of something, so a wrong byte in it takes away what follows. */
Test(journal, every_changed_byte_is_found)
{
    size_t length;
    char *bytes = make(4, 1, &length);
    size_t last = start_of_line(bytes, 3);

    for (size_t at = 0; at < length; at++) {
        bytes[at] ^= 1;
        scratch_write(FILE_NAME, bytes, length);
        bytes[at] ^= 1;
        if (at < last) {
            expect_refused(lines_before(bytes, at) + 1, "changed");
        } else {
            struct journal *journal = open_again(JOURNAL_READ);

            if (journal != NULL)
                expect_taken(3);
            journal_free(journal);
        }
    }
    free(bytes);
}

/* Which lines of four are there, in which order, and where that is noticed; 0: the last is
 * dropped. */
static const struct {
    unsigned lines[6];
    unsigned found;
} orders[] = {
    {{2, 3, 4}, 1},       {{1, 3, 4}, 2},    {{1, 2, 4}, 3}, {{2, 1, 3, 4}, 1},
    {{1, 1, 2, 3, 4}, 2}, {{1, 2, 3, 3}, 0}, {{1, 4, 3}, 2},
};

Test(journal, lines_that_are_missing_doubled_or_out_of_place_are_found)
{
    size_t length;
    char *bytes = make(4, 1, &length);

    for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
        char *mixed = xcalloc(2, length);
        size_t mixed_length = 0;

        for (unsigned j = 0; orders[i].lines[j] != 0; j++) {
            size_t from = start_of_line(bytes, orders[i].lines[j] - 1);
            size_t to = start_of_line(bytes, orders[i].lines[j]);

            memcpy(mixed + mixed_length, bytes + from, to - from);
            mixed_length += to - from;
        }
        scratch_write(FILE_NAME, mixed, mixed_length);
        if (orders[i].found > 0)
            expect_refused(orders[i].found, "order");
        else
            expect_dropped(bytes, 3, "order");
        free(mixed);
    }
    free(bytes);
}

Test(journal, salvaging_keeps_all_lines_before_the_damage_and_the_rest_in_a_file)
{
    size_t length;
    char *bytes = make(6, 2, &length);

    for (unsigned line = 2; line <= 4; line++) {
        size_t from = start_of_line(bytes, line - 1);
        char name[40];
        struct journal *journal;
        size_t saved_length;
        char *saved;

        (void)snprintf(name, sizeof name, FILE_NAME ".damaged-%u", line - 1);
        bytes[from + 5] ^= 1;
        scratch_write(FILE_NAME, bytes, length);
        expect_refused(line, "damaged");
        journal = open_again(JOURNAL_SALVAGE);
        cr_assert_not_null(journal, "%s", problem_words);
        expect_taken(line - 1);
        cr_assert_eq(size_of_file(), length, "it is cut before anybody has accepted the records");
        cr_assert_null(journal_loss(journal)->saved);
        cr_assert_eq(journal_salvage(journal), 0);
        cr_assert_eq(size_of_file(), from);
        cr_assert_eq(journal_loss(journal)->line, line);
        cr_assert_eq(journal_loss(journal)->bytes, length - from);
        cr_assert_str_eq(journal_loss(journal)->saved, scratch_path(name));
        saved = scratch_read(name, &saved_length);
        cr_assert_eq(saved_length, length - from);
        cr_assert_eq(memcmp(saved, bytes + from, saved_length), 0);
        free(saved);
        bytes[from + 5] ^= 1;
        add(journal, (int)line, 6);
        cr_assert_eq(journal_write(journal), 0);
        journal_free(journal);
        journal_free(open_again(JOURNAL_READ));
        expect_taken(6);
    }
    free(bytes);
}

Test(journal, salvaging_needs_a_good_line_and_leaves_a_good_file_alone)
{
    size_t length;
    char *bytes = make(3, 1, &length);
    struct journal *journal = open_again(JOURNAL_SALVAGE);

    expect_taken(3);
    cr_assert_eq(journal_loss(journal)->bytes, 0);
    cr_assert_null(journal_loss(journal)->saved);
    journal_free(journal);
    bytes[3] ^= 1;
    scratch_write(FILE_NAME, bytes, length);
    cr_assert_null(open_again(JOURNAL_SALVAGE));
    expect_refused(1, "the first line");
    cr_assert_neq(access(scratch_path(FILE_NAME ".damaged-1"), F_OK), 0);
    free(bytes);
}

Test(journal, a_record_that_is_refused_is_damage_with_a_line)
{
    size_t length;
    struct journal *journal;

    free(make(5, 5, &length));
    taken.refused = 3;
    expect_refused(3, "a refused record");
    cr_assert_not_null(strstr(problem_words, "line 3: no such number; "), "%s", problem_words);
    journal = open_again(JOURNAL_SALVAGE);
    expect_taken(2);
    add(journal, 3, 3);
    cr_assert_eq(journal_write(journal), 0);
    journal_free(journal);
    taken.refused = 0;
    journal_free(open_again(JOURNAL_READ));
    expect_taken(3);
}

Test(journal, the_last_sum_stands_for_all_records)
{
    size_t length;
    char *bytes = make(3, 1, &length);
    struct journal *journal = open_again(JOURNAL_READ);
    const char *sum = journal_sum(journal);

    cr_assert_eq(strlen(sum), 32);
    cr_assert_eq(memcmp(bytes + length - 3 - 32, sum, 32), 0);
    journal_free(journal);
    (void)unlink(scratch_path(FILE_NAME));
    journal = open_again(JOURNAL_WRITE);
    cr_assert_str_eq(journal_sum(journal), "");
    add(journal, 1, 3);
    cr_assert_str_eq(journal_sum(journal), "", "it is not written yet");
    journal_free(journal);
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
    struct journal *journal = open_again(JOURNAL_WRITE);
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
    journal_free(open_again(JOURNAL_READ));
    expect_taken(5);
}

Test(journal, reading_makes_no_file)
{
    cr_assert_null(open_again(JOURNAL_READ));
    cr_assert_str_eq(problem_words, "No such file or directory");
    cr_assert_neq(access(scratch_path(FILE_NAME), F_OK), 0);
}

Test(journal, records_added_since_a_mark_can_be_dropped)
{
    struct journal *journal = open_again(JOURNAL_WRITE);
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
    journal = open_again(JOURNAL_READ);
    cr_assert_not_null(journal, "%s", problem_words);
    cr_assert_eq(taken.count, 5);
    cr_expect_eq(taken.numbers[2], 6);
    cr_expect_eq(taken.numbers[4], 9);
    journal_free(journal);
}

Test(journal, only_one_can_write_and_all_can_read)
{
    struct journal *journal = open_again(JOURNAL_WRITE);

    cr_assert_null(open_again(JOURNAL_WRITE));
    cr_assert_str_eq(problem_words, "somebody else is playing in this store");
    journal_free(open_again(JOURNAL_READ));
    journal_free(journal);
    journal = open_again(JOURNAL_WRITE);
    cr_assert_not_null(journal, "%s", problem_words);
    journal_free(journal);
}

static void remove_file(void)
{
    cr_assert_eq(unlink(scratch_path(FILE_NAME)), 0);
}

static void replace_file(void)
{
    size_t length;
    char *bytes = scratch_read(FILE_NAME, &length);

    remove_file();
    scratch_write(FILE_NAME, bytes, length);
    free(bytes);
}

static void empty_file(void)
{
    cr_assert_eq(truncate(scratch_path(FILE_NAME), 0), 0);
}

static void lengthen_file(void)
{
    cr_assert_eq(truncate(scratch_path(FILE_NAME), 1000), 0);
}

Test(journal, nothing_counts_in_a_file_that_somebody_has_changed)
{
    static void (*const changes[])(void) = {remove_file, replace_file, empty_file, lengthen_file};

    for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
        struct journal *journal = open_again(JOURNAL_WRITE);

        journal_start_over(journal);
        add(journal, 1, 2);
        cr_assert_eq(journal_write(journal), 0);
        changes[i]();
        add(journal, 3, 3);
        for (int attempt = 0; attempt < 2; attempt++) {
            cr_assert_eq(journal_write(journal), -1, "%zu", i);
            cr_assert_eq(errno, ESTALE, "%zu", i);
            cr_assert(journal_is_waiting(journal));
        }
        cr_assert_not_null(strstr(journal_error(ESTALE), "removed or changed"));
        journal_free(journal);
        (void)unlink(scratch_path(FILE_NAME));
    }
}

Test(journal, a_file_that_was_moved_and_put_back_can_be_written_again)
{
    struct journal *journal = open_again(JOURNAL_WRITE);

    add(journal, 1, 2);
    cr_assert_eq(journal_write(journal), 0);
    cr_assert_eq(rename(scratch_path(FILE_NAME), scratch_path("away")), 0);
    add(journal, 3, 3);
    cr_assert_eq(journal_write(journal), -1);
    cr_assert_eq(rename(scratch_path("away"), scratch_path(FILE_NAME)), 0);
    cr_assert_eq(journal_write(journal), 0);
    journal_free(journal);
    journal_free(open_again(JOURNAL_READ));
    expect_taken(3);
}

Test(journal, what_is_not_a_file_with_lines_is_refused_at_once)
{
    static const enum journal_mode modes[] = {JOURNAL_WRITE, JOURNAL_READ, JOURNAL_SALVAGE};

    for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
        cr_assert_eq(mkfifo(scratch_path(FILE_NAME), 0600), 0);
        cr_assert_null(open_again(modes[i]));
        cr_assert_str_eq(problem_words, "it is not a regular file");
        remove_file();
        scratch_write(FILE_NAME, "", 0);
        cr_assert_eq(truncate(scratch_path(FILE_NAME), 200LL << 30), 0);
        cr_assert_null(open_again(modes[i]));
        cr_assert_not_null(strstr(problem_words, "hole"), "%s", problem_words);
        remove_file();
    }
}
