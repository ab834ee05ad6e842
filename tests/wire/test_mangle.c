/* Rough treatment of lines: what becomes of them, and what stays as it is. */

#include "wire/mangle.h"
#include "wire/bot_line.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const lines[] = {
    "allegra 1 referee=0.1.0",
    "match seats=2 seat=0 edition=de2026 move_ms=1000 bank_ms=0 clock=fair rng=6224343f56abaa01",
    "rules deck=8,8 talk=on",
    "player 0 newcomer",
    "round 1 0 10",
    "turn 1 0",
    "turned 0:B2 5",
    "table round=1 turn=0 dealer=0 active=0 draw=69 discard=1 top=10 trigger=- totals=0,0",
    "display 0 ?,?,?,?,?/?,?,?,?,?/?,?,?,?,?",
    "legal pile|discard",
    "ask 3 draw 1000",
    "result 1 2",
    "bye",
};

static char buffer[MANGLE_MAX];

static const char *rough(unsigned mangling, unsigned number, const char *line)
{
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    mangle_line(&text, mangling, number, span_of(line));
    cr_assert_not(text.is_cut);
    return buffer;
}

static bool ends_with(const char *words, const char *end)
{
    return strlen(words) >= strlen(end) && strcmp(words + strlen(words) - strlen(end), end) == 0;
}

Test(mangle, without_mangling_a_line_only_gets_its_line_end)
{
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        const char *came = rough(MANGLE_PIECES | MANGLE_PAUSE, (unsigned)i, lines[i]);

        cr_expect_eq(strlen(came), strlen(lines[i]) + 1, "%s", lines[i]);
        cr_expect(strncmp(came, lines[i], strlen(lines[i])) == 0 && ends_with(came, "\n"));
    }
}

Test(mangle, a_cr_comes_before_every_line_end)
{
    cr_expect_str_eq(rough(MANGLE_CRLF, 0, "bye"), "bye\r\n");
    cr_expect_str_eq(rough(MANGLE_CRLF | MANGLE_NOTICES, 0, "turn 1 0"),
                     "weather 3 sunny\r\nturn 1 0\r\n");
}

Test(mangle, fields_come_only_where_the_grammar_has_room_for_them)
{
    static const char grows[] = "yyynnnnynnynn";

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        for (unsigned number = 0; number < 8; number++) {
            const char *came = rough(MANGLE_FIELDS, number, lines[i]);
            size_t length = strlen(lines[i]);

            cr_expect(strncmp(came, lines[i], length) == 0, "%s", came);
            cr_expect_eq(came[length] == ' ', grows[i] == 'y', "%s", came);
            if (came[length] == ' ')
                cr_expect(strchr(came + length, '=') != NULL, "%s", came);
        }
    }
}

Test(mangle, a_line_never_gets_longer_than_the_protocol_allows)
{
    char line[BOT_LINE_REFEREE_MAX];

    memset(line, 'x', sizeof line);
    memcpy(line, "rules ", strlen("rules "));
    for (size_t length = BOT_LINE_REFEREE_MAX - 40; length < BOT_LINE_REFEREE_MAX; length++) {
        line[length] = '\0';
        cr_expect_leq(strlen(rough(MANGLE_FIELDS, 0, line)), (size_t)BOT_LINE_REFEREE_MAX);
        line[length] = 'x';
    }
}

Test(mangle, an_unknown_notice_never_comes_before_the_greeting_or_after_a_question)
{
    unsigned notices = 0;

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        for (unsigned number = 0; number < 8; number++) {
            const char *came = rough(MANGLE_NOTICES, number, lines[i]);
            size_t length = strlen(came) - 1;

            cr_expect(strncmp(came + length - strlen(lines[i]), lines[i], strlen(lines[i])) == 0,
                      "%s", came);
            cr_expect(i > 0 || length == strlen(lines[i]));
            cr_expect(strncmp(came, "ask", 3) != 0 || i != 10);
            notices += length > strlen(lines[i]);
        }
    }
    cr_expect_gt(notices, 30U);
}
