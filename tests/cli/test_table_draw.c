/* The table as a person sees it, at the usual widths of a terminal. */

#include "cli/table_draw.h"
#include "support/position.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define TWO                                                                                        \
    "seats=2 totals=0,-3 turn=7 active=1 private0=4,7,#2/3,7,0/#1,9,2 shared0=-1,#11,10 "          \
    "private1=.,5,5/.,#6,1/.,#8,3 shared1=#2,2,0 draw=5,1,3 discard=7,11"
#define THREE                                                                                      \
    "seats=3 edition=en2020 totals=-1.5,20,145 round=2 turn=31 "                                   \
    "private0=.,8,2/.,0,#1/.,#2,#3 shared0=#6,4,#11 private1=5,5,9/7,9,9/#7,#1,2 "                 \
    "shared1=1,#2,#0 private2=#3,#6,#9/#4,#8,#10/#1,#8,#11 shared2=-1,-1,10 draw=5 discard=6"
#define FOUR                                                                                       \
    "seats=4 turn=9 active=2 private0=.,2,./#3,.,8/.,.,. shared0=.,4,. "                           \
    "private1=5,.,./.,.,1/.,0,. shared1=2,.,. private2=#6,.,./.,9,./1,.,. shared2=.,3,. "          \
    "private3=.,6,./#10,.,./.,.,2 shared3=.,.,1 draw=3,4,5 discard=7 triggered=1 final=3"
#define OWN "1,2,3/#4,5,6/7,8,9"
#define SIX                                                                                        \
    "seats=6 turn=1 private0=" OWN " private1=" OWN " private2=" OWN " private3=" OWN              \
    " private4=" OWN " private5=" OWN " shared0=-1,0,1 shared1=10,11,10 shared2=#1,#1,#1 "         \
    "shared3=.,.,. shared4=4,4,5 shared5=#-1,-1,-1 draw=3,4,5 discard=7"

static const struct {
    const char *position;
    unsigned seat;
    unsigned width;
    const char *picture;
} pictures[] = {
    {TWO, 0, 80,
     "Round 1 of 1, turn 7. Draw pile 3, discard pile 2 (top 11).\n"
     "seat        0 anna             >1 a-very-long-name\n"
     "points      0 +43               -3 +25\n"
     "        E|A   B    C    D   E|A   B    C    D  E\n"
     "row 1 | -1 |  4    7    ? |  ? |  .    5    5  >\n"
     "row 2 |  ? |  3    7    0 |  2 |  .    ?    1  >\n"
     "row 3 | 10 |  ?    9    2 |  0 |  .    ?    3  >\n"},
    {TWO, 1, 120,
     "Round 1 of 1, turn 7. Draw pile 3, discard pile 2 (top 11).\n"
     "seat       >1 a-very-long-name  0 anna\n"
     "points      -3 +25              0 +43\n"
     "        E|A   B    C    D   E|A   B    C    D  E\n"
     "row 1 |  ? |  .    5    5 | -1 |  4    7    ?  >\n"
     "row 2 |  2 |  .    ?    1 |  ? |  3    7    0  >\n"
     "row 3 |  0 |  .    ?    3 | 10 |  ?    9    2  >\n"},
    {THREE, 0, 80,
     "Round 2 of 3, turn 31. Draw pile 1, discard pile 1 (top 6).\n"
     "seat        1 a-very-long-name >0 anna              2 carl\n"
     "points      20 +51              -1.5 +22            145 +9\n"
     "        E|A   B    C    D   E|A   B    C    D   E|A   B    C    D  E\n"
     "row 1 |  1 |  5    5    9 |  ? |  .    8    2 | -1 |  ?    ?    ?  >\n"
     "row 2 |  ? |  7    9    9 |  4 |  .    0    ? | -1 |  ?    ?    ?  >\n"
     "row 3 |  ? |  ?    ?    2 |  ? |  .    ?    ? | 10 |  ?    ?    ?  >\n"},
    {THREE, 2, 120,
     "Round 2 of 3, turn 31. Draw pile 1, discard pile 1 (top 6).\n"
     "seat       >0 anna              2 carl              1 a-very-long-name\n"
     "points      -1.5 +22            145 +9              20 +51\n"
     "        E|A   B    C    D   E|A   B    C    D   E|A   B    C    D  E\n"
     "row 1 |  ? |  .    8    2 | -1 |  ?    ?    ? |  1 |  5    5    9  >\n"
     "row 2 |  4 |  .    0    ? | -1 |  ?    ?    ? |  ? |  7    9    9  >\n"
     "row 3 |  ? |  .    ?    ? | 10 |  ?    ?    ? |  ? |  ?    ?    2  >\n"},
    {FOUR, 0, 80,
     "Round 1 of 1, turn 9. Draw pile 3, discard pile 1 (top 7). Final round (!).\n"
     "seat       1 a-very-long-  0 anna          3 dora         >2 carl\n"
     "points    !0 +12           0 +15           0 +12           0 +15\n"
     "       E|A  B   C   D  E|A  B   C   D  E|A  B   C   D  E|A  B   C   D  E\n"
     "row 1 | 2 | 5   .   . | . | .   2   . | . | .   6   . | . | ?   .   .  >\n"
     "row 2 | . | .   .   1 | 4 | ?   .   8 | . | ?   .   . | 3 | .   9   .  >\n"
     "row 3 | . | .   0   . | . | .   .   . | 1 | .   .   2 | . | 1   .   .  >\n"},
    {FOUR, 3, 120,
     "Round 1 of 1, turn 9. Draw pile 3, discard pile 1 (top 7). Final round (!).\n"
     "seat        0 anna              3 dora             >2 carl              1 a-very-long-name\n"
     "points      0 +15               0 +12               0 +15              !0 +12\n"
     "        E|A   B    C    D   E|A   B    C    D   E|A   B    C    D   E|A   B    C    D  E\n"
     "row 1 |  . |  .    2    . |  . |  .    6    . |  . |  ?    .    . |  2 |  5    .    .  >\n"
     "row 2 |  4 |  ?    .    8 |  . |  ?    .    . |  3 |  .    9    . |  . |  .    .    1  >\n"
     "row 3 |  . |  .    .    . |  1 |  .    .    2 |  . |  1    .    . |  . |  .    0    .  >\n"},
    {SIX, 0, 80,
     "Round 1 of 1, turn 1. Draw pile 3, discard pile 1 (top 7).\n"
     "seat      2 carl      1 a-very-l >0 anna      5 frida     4 emil      3 dora\n"
     "points    0 +72       0 +72       0 +39       0 +52       0 +54       0 +41\n"
     "      E|A B  C  D E|A B  C  D E|A B  C  D E|A B  C  D E|A B  C  D E|A B  C  D  E\n"
     "row 1  ?  1  2  3 10  1  2  3 -1  1  2  3  ?  1  2  3  4  1  2  3  .  1  2  3  >\n"
     "row 2  ?  ?  5  6 11  ?  5  6  0  ?  5  6 -1  ?  5  6  4  ?  5  6  .  ?  5  6  >\n"
     "row 3  ?  7  8  9 10  7  8  9  1  7  8  9 -1  7  8  9  5  7  8  9  .  7  8  9  >\n"},
    {SIX, 0, 120,
     "Round 1 of 1, turn 1. Draw pile 3, discard pile 1 (top 7).\n"
     "seat       2 carl          1 a-very-long- >0 anna          5 frida         4 emil          3 "
     "dora\n"
     "points     0 +72           0 +72           0 +39           0 +52           0 +54           0 "
     "+41\n"
     "       E|A  B   C   D  E|A  B   C   D  E|A  B   C   D  E|A  B   C   D  E|A  B   C   D  E|A  "
     "B   C   D  E\n"
     "row 1 | ? | 1   2   3 |10 | 1   2   3 |-1 | 1   2   3 | ? | 1   2   3 | 4 | 1   2   3 | . | "
     "1   2   3  >\n"
     "row 2 | ? | ?   5   6 |11 | ?   5   6 | 0 | ?   5   6 |-1 | ?   5   6 | 4 | ?   5   6 | . | "
     "?   5   6  >\n"
     "row 3 | ? | 7   8   9 |10 | 7   8   9 | 1 | 7   8   9 |-1 | 7   8   9 | 5 | 7   8   9 | . | "
     "7   8   9  >\n"},
    {SIX, 0, 50,
     "Round 1 of 1, turn 1.\n"
     "Draw pile 3, discard pile 1 (top 7).\n"
     "seat      2 carl      1 a-very-l >0 anna\n"
     "points    0 +72       0 +72       0 +39\n"
     "      E|A B  C  D E|A B  C  D E|A B  C  D  E\n"
     "row 1  ?  1  2  3 10  1  2  3 -1  1  2  3  >\n"
     "row 2  ?  ?  5  6 11  ?  5  6  0  ?  5  6  >\n"
     "row 3  ?  7  8  9 10  7  8  9  1  7  8  9  >\n"
     "seat      5 frida     4 emil      3 dora\n"
     "points    0 +52       0 +54       0 +41\n"
     "      E|A B  C  D E|A B  C  D E|A B  C  D  E\n"
     "row 1  ?  1  2  3  4  1  2  3  .  1  2  3  >\n"
     "row 2 -1  ?  5  6  4  ?  5  6  .  ?  5  6  >\n"
     "row 3 -1  7  8  9  5  7  8  9  .  7  8  9  >\n"},
};

static const char *const names[] = {"anna", "a-very-long-name-for-a-bot", "carl", "dora", "emil",
                                    "frida"};

/* Draws to memory; to be freed. */
static char *draw(const struct table_drawing *drawing)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&bytes, &length);

    cr_assert_not_null(file);
    table_draw(file, drawing);
    fclose(file);
    return bytes;
}

static void check_width(const char *picture, size_t width)
{
    while (*picture != '\0') {
        size_t length = strcspn(picture, "\n");

        cr_expect_leq(length, width, "%.*s", (int)length, picture);
        picture += length + 1;
    }
}

Test(table_draw, the_table_fits_the_terminal_with_each_shared_column_drawn_once)
{
    for (size_t i = 0; i < ARRAY_LEN(pictures); i++) {
        struct allegra_table table = table_from("%s", pictures[i].position);
        struct allegra_view view = allegra_view_of(&table, pictures[i].seat);
        struct table_drawing drawing = {.view = &view, .names = names, .width = pictures[i].width};
        char *picture = draw(&drawing);

        cr_expect_str_eq(picture, pictures[i].picture, "picture %zu:\n%s", i, picture);
        check_width(picture, pictures[i].width);
        free(picture);
    }
}

/* Draws the worked example of a knock after a sequence of answers, and marks what they changed. */
static char *draw_after(const char *answers[][2], size_t count, bool has_colour)
{
    struct allegra_table table = table_from(POSITION_KNOCK);
    uint16_t changed[ALLEGRA_SEATS_MAX] = {0};
    struct allegra_view view;
    struct table_drawing drawing = {
        .view = &view, .names = names, .changed = changed, .width = 80, .has_colour = has_colour};

    for (size_t i = 0; i < count; i++) {
        struct allegra_events events =
            play(&table, (unsigned)(answers[i][0][0] - '0'), answers[i][1]);

        table_draw_add_changes(changed, &events);
    }
    view = allegra_view_of(&table, 0);
    return draw(&drawing);
}

static const char *knock[][2] = {
    {"0", "pile"},     {"1", "knock"},     {"2", "pass"},   {"0", "accept 1"},
    {"1", "place D1"}, {"0", "take 1:B2"}, {"0", "put B3"},
};

Test(table_draw, every_cell_that_changed_has_a_sign)
{
    char *picture = draw_after(knock, ARRAY_LEN(knock), false);

    cr_expect_str_eq(strstr(picture, "row 1"),
                     "row 1 |  1 |  .*   .*   .*|  ? |  .*   8    2 |  ? |  ?    ?    ?  >\n"
                     "row 2 |  ? |  .*   .*   .*|  4 |  .*   0    ? |  ? |  ?    ?    ?  >\n"
                     "row 3 |  ? |  ?    ?    2 |  ? |  .*   ?    ? |  ? |  ?    ?    ?  >\n",
                     "%s", picture);
    free(picture);
}

Test(table_draw, a_shared_cell_has_its_sign_whoever_changed_it)
{
    static const char *as_a[][2] = {{"0", "discard"}, {"0", "keep A1"}};
    static const char *as_e[][2] = {{"0", "discard"}, {"0", "keep E1"}};
    char *left = draw_after(as_a, ARRAY_LEN(as_a), false);
    char *right = draw_after(as_e, ARRAY_LEN(as_e), false);

    cr_expect_not_null(strstr(left, "row 1 |  1 |  5    5    9 |  6*|"), "%s", left);
    cr_expect_not_null(strstr(right, "2 |  6*|  ?    ?    ?  >"), "%s", right);
    free(left);
    free(right);
}

Test(table_draw, colours_change_nothing_but_colours)
{
    char *plain = draw_after(knock, ARRAY_LEN(knock), false);
    char *coloured = draw_after(knock, ARRAY_LEN(knock), true);
    char *to = coloured;

    cr_expect_not_null(strstr(coloured, "\033[2m\033[1;7m .*\033[0m"), "%s", coloured);
    for (const char *from = coloured; *from != '\0';) {
        if (*from == '\033')
            from += strcspn(from, "m") + 1;
        else
            *to++ = *from++;
    }
    *to = '\0';
    cr_expect_str_eq(coloured, plain);
    free(plain);
    free(coloured);
}
