#include "tournament/groups.h"

#include "base/dice.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(groups);

#define ROOM 64

static void add_both(struct relation *relation, unsigned one, unsigned other)
{
    relation_add(relation, one, other);
    relation_add(relation, other, one);
}

Test(groups, of_ranks_are_the_longest_runs)
{
    static const unsigned alike[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}};
    static const char *const expected[] = {"a", "a", "ab", "b", "c"};
    struct relation *relation = relation_new(ARRAY_LEN(expected));
    char letters[ARRAY_LEN(expected)][ROOM];

    for (size_t i = 0; i < ARRAY_LEN(alike); i++)
        add_both(relation, alike[i][0], alike[i][1]);
    groups_write(relation, letters[0], ROOM, ROOM);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        cr_assert_str_eq(letters[i], expected[i]);
    relation_free(relation);
}

/* Two letters and their number, if it has one, in common? */
static bool share_letter(const char *one, const char *other)
{
    while (*one != '\0') {
        size_t length = 1 + strspn(one + 1, "0123456789");

        for (const char *at = other; *at != '\0'; at += 1 + strspn(at + 1, "0123456789"))
            if (strncmp(at, one, length) == 0 && strspn(at + length, "0123456789") == 0)
                return true;
        one += length;
    }
    return false;
}

Test(groups, are_shared_exactly_by_what_is_alike)
{
    enum { COUNT = 70 };
    static char letters[COUNT][4096];
    struct dice dice = dice_from(1);

    for (unsigned density = 1; density < 10; density += 2) {
        struct relation *relation = relation_new(COUNT);

        for (unsigned i = 0; i < COUNT; i++)
            for (unsigned j = 0; j < i; j++)
                if (dice_below(&dice, 10) < density)
                    add_both(relation, i, j);
        groups_write(relation, letters[0], sizeof letters[0], sizeof letters[0]);
        for (unsigned i = 0; i < COUNT; i++)
            for (unsigned j = 0; j < i; j++)
                cr_assert_eq(share_letter(letters[i], letters[j]), relation_has(relation, i, j),
                             "%s and %s", letters[i], letters[j]);
        relation_free(relation);
    }
}

/* Thing 0 is alike all others, who are not alike each other. */
Test(groups, end_with_a_sign_when_there_is_no_room)
{
    enum { COUNT = 60 };
    struct relation *relation = relation_new(COUNT);
    char letters[COUNT][8];

    for (unsigned i = 1; i < COUNT; i++)
        add_both(relation, 0, i);
    groups_write(relation, letters[0], sizeof letters[0], sizeof letters[0]);
    cr_assert_str_eq(letters[0], "abcdef+");
    cr_assert_str_eq(letters[26], "z");
    cr_assert_str_eq(letters[27], "a2");
    cr_assert_str_eq(letters[59], "g3");
    relation_free(relation);
}

Test(groups, relations_are_closed_over_all_steps)
{
    struct relation *relation = relation_new(130);

    for (unsigned i = 0; i + 1 < 130; i++)
        relation_add(relation, i, i + 1);
    relation_close(relation);
    for (unsigned i = 0; i < 130; i++)
        for (unsigned j = 0; j < 130; j++)
            cr_assert_eq(relation_has(relation, i, j), i <= j);
    cr_assert_eq(relation_next(relation, relation_row(relation, 100), 0), 100);
    cr_assert_eq(relation_next(relation, relation_row(relation, 129), 130), 130);
    relation_free(relation);
}
