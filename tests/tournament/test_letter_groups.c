#include "tournament/stats/letter_groups.h"

#include "game/allegra.h"
#include "base/text.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(letter_groups);

#define ROOM 64

static void add_both(struct bit_matrix *matrix, unsigned one, unsigned other)
{
    bit_matrix_add(matrix, one, other);
    bit_matrix_add(matrix, other, one);
}

Test(letter_groups, of_ranks_are_the_longest_runs)
{
    static const unsigned alike[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}};
    static const char *const expected[] = {"a", "a", "ab", "b", "c"};
    struct bit_matrix *matrix = bit_matrix_new(ARRAY_LEN(expected));
    char letters[ARRAY_LEN(expected)][ROOM];

    for (size_t i = 0; i < ARRAY_LEN(alike); i++)
        add_both(matrix, alike[i][0], alike[i][1]);
    letter_groups_write(matrix, letters[0], ROOM, ROOM);
    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        cr_assert_str_eq(letters[i], expected[i]);
    bit_matrix_free(matrix);
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

Test(letter_groups, things_share_a_letter_exactly_if_they_are_alike)
{
    enum { COUNT = 70 };
    static char letters[COUNT][4096];
    struct allegra_dice dice = allegra_dice_from(1);

    for (unsigned density = 1; density < 10; density += 2) {
        struct bit_matrix *matrix = bit_matrix_new(COUNT);

        for (unsigned i = 0; i < COUNT; i++)
            for (unsigned j = 0; j < i; j++)
                if (allegra_dice_below(&dice, 10) < density)
                    add_both(matrix, i, j);
        letter_groups_write(matrix, letters[0], sizeof letters[0], sizeof letters[0]);
        for (unsigned i = 0; i < COUNT; i++)
            for (unsigned j = 0; j < i; j++)
                cr_assert_eq(share_letter(letters[i], letters[j]), bit_matrix_has(matrix, i, j),
                             "%s and %s", letters[i], letters[j]);
        bit_matrix_free(matrix);
    }
}

/* Thing 0 is similar to all others, which are not similar to each other. */
Test(letter_groups, end_with_a_sign_when_there_is_no_room)
{
    enum { COUNT = 60 };
    struct bit_matrix *matrix = bit_matrix_new(COUNT);
    char letters[COUNT][8];

    for (unsigned i = 1; i < COUNT; i++)
        add_both(matrix, 0, i);
    letter_groups_write(matrix, letters[0], sizeof letters[0], sizeof letters[0]);
    cr_assert_str_eq(letters[0], "abcdef+");
    cr_assert_str_eq(letters[26], "z");
    cr_assert_str_eq(letters[27], "a2");
    cr_assert_str_eq(letters[59], "g3");
    bit_matrix_free(matrix);
}

Test(letter_groups, relations_are_closed_over_all_steps)
{
    struct bit_matrix *matrix = bit_matrix_new(130);

    for (unsigned i = 0; i + 1 < 130; i++)
        bit_matrix_add(matrix, i, i + 1);
    bit_matrix_close(matrix);
    for (unsigned i = 0; i < 130; i++)
        for (unsigned j = 0; j < 130; j++)
            cr_assert_eq(bit_matrix_has(matrix, i, j), i <= j);
    cr_assert_eq(bit_matrix_next(matrix, bit_matrix_row(matrix, 100), 0), 100);
    cr_assert_eq(bit_matrix_next(matrix, bit_matrix_row(matrix, 129), 130), 130);
    bit_matrix_free(matrix);
}
