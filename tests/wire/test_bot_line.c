/* The lines of the protocol, both ways. */

#include "wire/bot_line.h"

#include <criterion/criterion.h>
#include <string.h>

struct reply_case {
    const char *line;
    enum bot_line_kind kind;
    bool is_answer;
};

static const struct reply_case reply_cases[] = {
    {"17 keep B3", BOT_LINE_REPLY, true},
    {"1 pile", BOT_LINE_REPLY, true},
    {"999999999999999999 none", BOT_LINE_REPLY, true},
    {"3 clear A1 B1 C1", BOT_LINE_REPLY, true},
    {"3 take 5:E3", BOT_LINE_REPLY, true},
    {"3 knock", BOT_LINE_REPLY, true},
    {"3 knock A1", BOT_LINE_REPLY, true},
    {"say hello", BOT_LINE_SAY, false},
    {"say  two blanks", BOT_LINE_SAY, false},
    {"say 100% %s %n", BOT_LINE_SAY, false},
    {"17 keep F3", BOT_LINE_REPLY, false},
    {"17 keep B4", BOT_LINE_REPLY, false},
    {"17 keep b3", BOT_LINE_REPLY, false},
    {"17 keep  B3", BOT_LINE_REPLY, false},
    {"17 keep B3 ", BOT_LINE_REPLY, false},
    {"17 keep", BOT_LINE_REPLY, false},
    {"17 ", BOT_LINE_REPLY, false},
    {"17 take B3", BOT_LINE_REPLY, false},
    {"17 take 6:B3", BOT_LINE_REPLY, false},
    {"17 accept -1", BOT_LINE_REPLY, false},
    {"17 accept 99999999999999999999", BOT_LINE_REPLY, false},
    {"17 clear C1 B1 A1", BOT_LINE_REPLY, false},
    {"17 clear A1 A1 B1", BOT_LINE_REPLY, false},
    {"17 clear A1 B1", BOT_LINE_REPLY, false},
    {"17 clear A1 B1 C1 D1", BOT_LINE_REPLY, false},
    {"17 KEEP B3", BOT_LINE_REPLY, false},
    {"17 keep B3\t", BOT_LINE_UNREADABLE, false},
    {"", BOT_LINE_UNREADABLE, false},
    {" ", BOT_LINE_UNREADABLE, false},
    {" 17 keep B3", BOT_LINE_UNREADABLE, false},
    {"17", BOT_LINE_UNREADABLE, false},
    {"+17 keep B3", BOT_LINE_UNREADABLE, false},
    {"-17 keep B3", BOT_LINE_UNREADABLE, false},
    {"017 keep B3", BOT_LINE_UNREADABLE, false},
    {"0 keep B3", BOT_LINE_UNREADABLE, false},
    {"17x keep B3", BOT_LINE_UNREADABLE, false},
    {"1000000000000000000 none", BOT_LINE_UNREADABLE, false},
    {"1234567890123456789012345678901234567890 none", BOT_LINE_UNREADABLE, false},
    {"keep B3", BOT_LINE_UNREADABLE, false},
    {"say", BOT_LINE_UNREADABLE, false},
    {"say ", BOT_LINE_UNREADABLE, false},
    {"Say hello", BOT_LINE_UNREADABLE, false},
    {"say caf\xc3\xa9", BOT_LINE_UNREADABLE, false},
    {"17 keep B3\r", BOT_LINE_UNREADABLE, false},
    {"hello again", BOT_LINE_UNREADABLE, false},
};

Test(bot_line, every_line_of_a_bot_is_of_exactly_one_kind)
{
    for (size_t i = 0; i < ARRAY_LEN(reply_cases); i++) {
        const struct reply_case *c = &reply_cases[i];
        struct bot_line_reply reply = bot_line_read_reply(span_of(c->line));

        cr_expect_eq(reply.kind, c->kind, "case %zu: %s", i, c->line);
        cr_expect_eq(reply.is_answer, c->is_answer, "case %zu: %s", i, c->line);
    }
}

Test(bot_line, a_nul_byte_makes_a_line_unreadable)
{
    cr_assert_eq(bot_line_read_reply((struct span){"17 pile\0", 8}).kind, BOT_LINE_UNREADABLE);
}

Test(bot_line, a_text_has_at_most_120_bytes)
{
    char line[4 + BOT_LINE_SAY_MAX + 2] = "say ";

    memset(line + 4, 'x', BOT_LINE_SAY_MAX + 1);
    cr_expect_eq(bot_line_read_reply((struct span){line, 4 + BOT_LINE_SAY_MAX}).kind, BOT_LINE_SAY);
    cr_expect_eq(bot_line_read_reply((struct span){line, 4 + BOT_LINE_SAY_MAX + 1}).kind,
                 BOT_LINE_UNREADABLE);
}

struct hello_case {
    const char *line;
    const char *problem; /* a part of it; NULL if there is none */
};

static const struct hello_case hello_cases[] = {
    {"hello bot", NULL},
    {"hello A-b_c.9", NULL},
    {"hello bot table=off events=off legal=on reuse=on", NULL},
    {"hello bot future=1", NULL},
    {"hello", "hello NAME"},
    {"", "hello NAME"},
    {"Hello bot", "hello NAME"},
    {"hello ", "a name has"},
    {"hello  bot", "a name has"},
    {"hello b\xc3\xb6t", "hello NAME"},
    {"hello b<t", "a name has"},
    {"hello ../../etc/passwd", "a name has"},
    {"hello 123456789012345678901234567890123", "a name has"},
    {"hello bot legal", "key=value"},
    {"hello bot =on", "key=value"},
    {"hello bot legal=yes", "on or off"},
    {"hello bot ", "key=value"},
};

Test(bot_line, a_hello_is_read_or_refused_with_a_sentence)
{
    for (size_t i = 0; i < ARRAY_LEN(hello_cases); i++) {
        const struct hello_case *c = &hello_cases[i];
        struct bot_line_hello hello;
        char words[200];
        struct text problem;
        int result;

        text_start(&problem, words, sizeof words);
        result = bot_line_read_hello(span_of(c->line), &hello, &problem);
        cr_expect_eq(result, c->problem == NULL ? 0 : -1, "case %zu: %s", i, c->line);
        cr_expect(c->problem == NULL || strstr(words, c->problem) != NULL, "case %zu: %s", i,
                  words);
    }
}

Test(bot_line, options_are_on_and_off_as_the_hello_says)
{
    struct bot_line_hello hello;
    char words[200];
    struct text problem;

    text_start(&problem, words, sizeof words);
    bot_line_read_hello(span_of("hello bot"), &hello, &problem);
    cr_expect(hello.options.has_table && hello.options.has_events);
    cr_expect_not(hello.options.has_legal || hello.options.has_reuse);
    bot_line_read_hello(span_of("hello bot table=off legal=on"), &hello, &problem);
    cr_expect_not(hello.options.has_table);
    cr_expect(hello.options.has_events && hello.options.has_legal);
}

struct event_case {
    struct allegra_event event;
    const char *line;
};

static const struct event_case event_cases[] = {
    {{.kind = ALLEGRA_EVENT_ROUND, .number = 2, .seat = 1, .card = -1}, "round 2 1 -1"},
    {{.kind = ALLEGRA_EVENT_TURNED, .seat = 3, .cell = 5, .card = 11}, "turned 3:A2 11"},
    {{.kind = ALLEGRA_EVENT_TURN, .number = 7, .seat = 0}, "turn 7 0"},
    {{.kind = ALLEGRA_EVENT_RESHUFFLED, .number = 40}, "reshuffled 40"},
    {{.kind = ALLEGRA_EVENT_DREW_PILE, .seat = 1, .card = 5}, "drew pile 1 5"},
    {{.kind = ALLEGRA_EVENT_DREW_DISCARD, .seat = 1, .card = 5}, "drew discard 1 5"},
    {{.kind = ALLEGRA_EVENT_PASSED, .seat = 2}, "passed 2"},
    {{.kind = ALLEGRA_EVENT_KNOCKED, .seat = 2}, "knocked 2"},
    {{.kind = ALLEGRA_EVENT_KNOCKED, .seat = 2, .cells = 1 << 14}, "knocked 2 2:E3"},
    {{.kind = ALLEGRA_EVENT_AGAIN, .seat = 2, .number = 2}, "again 2 2"},
    {{.kind = ALLEGRA_EVENT_DECLINED, .seat = 2}, "declined 2"},
    {{.kind = ALLEGRA_EVENT_ACCEPTED, .seat = 2, .other = 4}, "accepted 2 4"},
    {{.kind = ALLEGRA_EVENT_KEPT, .seat = 0, .cell = 0, .card = 3, .old = 9}, "kept 0:A1 3 9"},
    {{.kind = ALLEGRA_EVENT_DROPPED, .seat = 0, .card = 3}, "dropped 0 3"},
    {{.kind = ALLEGRA_EVENT_PLACED, .seat = 4, .cell = 1, .card = 3, .old = 9}, "placed 4:B1 3 9"},
    {{.kind = ALLEGRA_EVENT_PLACED, .seat = 4, .cell = 1, .card = 3, .old = ALLEGRA_CARD_NONE},
     "placed 4:B1 3 ?"},
    {{.kind = ALLEGRA_EVENT_TOOK, .seat = 2, .other = 4, .cell = 2, .card = 0}, "took 2 4:C1 0"},
    {{.kind = ALLEGRA_EVENT_PUT, .seat = 2, .cell = 2, .card = 0, .old = 8}, "put 2:C1 0 8"},
    {{.kind = ALLEGRA_EVENT_TOSSED, .seat = 2, .card = 0}, "tossed 2 0"},
    {{.kind = ALLEGRA_EVENT_RETURNED, .seat = 4, .cell = 2, .card = 9}, "returned 4:C1 9"},
    {{.kind = ALLEGRA_EVENT_CLEARED, .seat = 1, .cells = 0x421, .card = 7},
     "cleared 1:A1 1:A2 1:A3 7"},
    {{.kind = ALLEGRA_EVENT_DISCARDED, .seat = 1, .card = 7}, "discarded 1 7"},
    {{.kind = ALLEGRA_EVENT_FINAL, .seat = 1}, "final 1"},
    {{.kind = ALLEGRA_EVENT_LIMIT, .number = 400}, "limit 400"},
    {{.kind = ALLEGRA_EVENT_EXHAUSTED, .seat = 1}, "exhausted 1"},
    {{.kind = ALLEGRA_EVENT_SHOWN, .seat = 1, .cell = 14, .card = 10}, "shown 1:E3 10"},
    {{.kind = ALLEGRA_EVENT_SCORED,
      .seat = 1,
      .number = -3,
      .score_halves = -3,
      .total_halves = 25},
     "scored 1 -3 -1.5 12.5"},
    {{.kind = ALLEGRA_EVENT_SCORED, .seat = 1, .number = 0, .score_halves = -1, .total_halves = 1},
     "scored 1 0 -0.5 0.5"},
    {{.kind = ALLEGRA_EVENT_OVER}, "over"},
};

Test(bot_line, every_kind_of_event_has_its_line)
{
    bool is_seen[ALLEGRA_EVENT_COUNT] = {false};

    for (size_t i = 0; i < ARRAY_LEN(event_cases); i++) {
        char line[200];
        struct text text;

        text_start(&text, line, sizeof line);
        bot_line_write_event(&text, &event_cases[i].event, false);
        cr_expect_str_eq(line, event_cases[i].line);
        is_seen[event_cases[i].event.kind] = true;
    }
    for (size_t i = 0; i < ALLEGRA_EVENT_COUNT; i++)
        cr_expect(is_seen[i], "event kind %zu has no case", i);
}

/* The widest things that can be written. */
static struct allegra_view widest_view(void)
{
    struct allegra_view view = {
        .rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020),
        .draw_count = 200,
        .discard_count = 200,
        .discard_top = 10,
        .seats = 6,
        .dealer = 5,
        .round = 100,
        .active = 5,
        .turn = 60006,
        .is_final = true,
        .trigger = 5,
        .question = ALLEGRA_QUESTION_ANSWER,
        .drawn = 10,
        .bid_round = 9,
        .bidders = 0x1f,
        .knockers = 0x1f,
    };

    for (unsigned seat = 0; seat < 6; seat++) {
        view.total_halves[seat] = -65999;
        view.offer[seat] = 1 << 14;
        memset(view.face[seat], 10, sizeof view.face[seat]);
    }
    return view;
}

static size_t longest_line(const char *lines)
{
    size_t longest = 0;

    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n") + 1;

        longest = length > longest ? length : longest;
        lines += length;
    }
    return longest;
}

Test(bot_line, no_line_of_the_referee_is_longer_than_promised)
{
    struct allegra_view view = widest_view();
    struct allegra_legal legal = {.count = 36};
    struct bot_line_match match = {.rules = &view.rules,
                                   .variant = "12345678901234567890123456789012",
                                   .seats = 6,
                                   .move_ms = 86400000,
                                   .bank_ms = 86400000,
                                   .clock = "fair"};
    char bytes[8192];
    struct text text;

    for (unsigned i = 0; i < 36; i++)
        legal.list[i] = (struct allegra_answer){.verb = ALLEGRA_VERB_CLEAR, .cells = 0x7000};
    for (unsigned seat = 0; seat < 6; seat++)
        match.names[seat] = "12345678901234567890123456789012-2";
    view.rules.turn_limit = 10000;
    view.rules.score_limit = 1000;
    text_start(&text, bytes, sizeof bytes);
    bot_line_write_greeting(&text, REFEREE_VERSION);
    bot_line_write_match(&text, &match);
    bot_line_write_table(&text, &view);
    bot_line_write_legal(&text, &legal);
    bot_line_write_ask(&text, &view, 999999999999999999, 172800000);
    cr_expect_not(text.is_cut);
    cr_expect_leq(longest_line(bytes), BOT_LINE_REFEREE_MAX);
}

Test(bot_line, the_name_of_the_rules_follows_their_edition_if_they_have_one)
{
    static const char *const names[] = {NULL, "", "quick"};
    struct allegra_rules rules = allegra_rules_of_edition(ALLEGRA_EDITION_EN2020);

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct bot_line_match match = {
            .rules = &rules, .variant = names[i], .seats = 2, .clock = "fair", .names = {"a", "b"}};
        const char *expected =
            i < 2 ? " edition=en2020 move_ms=0 " : " edition=en2020 variant=quick move_ms=0 ";
        char bytes[2000];
        struct text text;

        text_start(&text, bytes, sizeof bytes);
        bot_line_write_match(&text, &match);
        cr_expect_not_null(strstr(bytes, expected), "%s", bytes);
    }
}

Test(bot_line, the_table_fits_the_buffer_that_a_match_has_for_it)
{
    struct allegra_view view = widest_view();
    char bytes[1024];
    struct text text;

    text_start(&text, bytes, sizeof bytes);
    bot_line_write_table(&text, &view);
    cr_assert_not(text.is_cut);
}
