/* Compares the kit with the real table: a bot must know from its lines everything that its seat may
 * know. */

#include "kit/kit.h"

#include "game/game_text.h"
#include "game/rules.h"
#include "support/effort.h"
#include "support/kit_send.h"
#include "support/random_play.h"
#include "wire/bot_line.h"

#include <criterion/criterion.h>
#include <string.h>

#define MATCHES 200

/* One match, and a kit at each seat. */
struct kit_match {
    struct allegra_table table;
    struct allegra_events events;
    struct allegra_dice dice;
    struct play_style style;
    struct kit kits[ALLEGRA_SEATS_MAX];
    uint64_t id;
};

/* The seat that is asked; `choose` compares the state of the kit with it. */
static const struct kit_match *current;
static struct allegra_answer planned;
static bool was_asked;

static void begin(struct text *text)
{
    static char buffer[KIT_SEND_MAX];

    text_start(text, buffer, sizeof buffer);
}

static void same_rules(const struct allegra_rules *one, const struct allegra_rules *other)
{
    cr_assert_eq(one->edition, other->edition);
    for (size_t i = 0; i < rules_key_count(); i++)
        cr_assert(rules_same_value(one, other, rules_key_at(i)), "%s", rules_key_at(i)->name);
}

static void same_round(const struct allegra_view *told, const struct allegra_view *real)
{
    for (unsigned seat = 0; seat < real->seats; seat++) {
        cr_assert_eq(told->total_halves[seat], real->total_halves[seat]);
        cr_assert_arr_eq(told->face[seat], real->face[seat], ALLEGRA_CELL_COUNT);
    }
    cr_assert_eq(told->discard_top, real->discard_top);
    cr_assert_eq(told->draw_count, real->draw_count);
    cr_assert_eq(told->discard_count, real->discard_count);
    cr_assert_eq(told->me, real->me);
    cr_assert_eq(told->seats, real->seats);
    cr_assert_eq(told->dealer, real->dealer);
    cr_assert_eq(told->round, real->round);
    cr_assert_eq(told->active, real->active);
    cr_assert_eq(told->turn, real->turn);
    cr_assert_eq(told->is_final, real->is_final);
    cr_assert_eq(told->trigger, real->trigger);
    cr_assert_eq(told->final_left, real->final_left);
    cr_assert_eq(told->final_moved, real->final_moved);
}

static void same_question(const struct allegra_view *told, const struct allegra_view *real)
{
    cr_assert_eq(told->question, real->question);
    cr_assert_eq(told->drawn, real->drawn);
    cr_assert_eq(told->is_from_discard, real->is_from_discard);
    cr_assert_eq(told->bid_round, real->bid_round);
    cr_assert_eq(told->bidders, real->bidders);
    cr_assert_eq(told->knockers, real->knockers);
    cr_assert_arr_eq(told->offer, real->offer, sizeof real->offer);
    cr_assert_eq(told->knocker, real->knocker);
    cr_assert_eq(told->placed, real->placed);
    cr_assert_eq(told->hand, real->hand);
    cr_assert_eq(told->taken, real->taken);
    cr_assert_eq(told->aside, real->aside);
    cr_assert_eq(told->clear_step, real->clear_step);
    cr_assert_eq(told->clear_start, real->clear_start);
}

static void same_discards(const struct kit *kit, const struct allegra_table *table)
{
    cr_assert_eq(kit->discard_count, table->discard_count);
    for (unsigned i = 0; i < table->discard_count; i++)
        cr_assert_eq(kit->discards[i], allegra_table_discarded(table, i));
}

static struct allegra_answer compare(const struct allegra_view *view,
                                     const struct allegra_legal *legal, struct kit *kit)
{
    struct allegra_view real = allegra_view_of(&current->table, view->me);
    struct allegra_legal listed;

    allegra_legal_list(&current->table, view->me, &listed);
    same_rules(&view->rules, &real.rules);
    same_round(view, &real);
    same_question(view, &real);
    same_discards(kit, &current->table);
    cr_assert_eq(legal->count, listed.count);
    cr_assert_arr_eq(legal->list, listed.list, listed.count * sizeof listed.list[0]);
    cr_assert_eq(kit->limit_ms, 1000);
    was_asked = true;
    return planned;
}

static void tell_all(struct kit_match *played)
{
    for (unsigned seat = 0; seat < played->table.seats; seat++) {
        struct text text;

        begin(&text);
        for (unsigned i = 0; i < played->events.count; i++) {
            struct allegra_event event = allegra_event_hide(played->events.list[i], seat);

            bot_line_write_event(&text, &event, true);
        }
        cr_assert_not(text.is_cut);
        cr_assert_str_empty(kit_send(&played->kits[seat], text.buffer));
    }
}

static void seat_all(struct kit_match *played)
{
    struct bot_line_match match = {
        .rules = &played->table.rules,
        .seats = played->table.seats,
        .move_ms = 250,
        .clock = "fair",
        .rng = 0x0123456789abcdef,
        .names = {"one", "two", "three", "four", "five", "six"},
    };

    for (match.seat = 0; match.seat < match.seats; match.seat++) {
        struct kit *kit = &played->kits[match.seat];
        struct text text;

        begin(&text);
        kit_start(kit, "test", compare);
        bot_line_write_greeting(&text, REFEREE_VERSION);
        cr_assert_str_eq(kit_send(kit, text.buffer), "hello test legal=on reuse=on\n");
        begin(&text);
        bot_line_write_match(&text, &match);
        cr_assert_str_empty(kit_send(kit, text.buffer));
        cr_assert_eq(kit->dice.state, match.rng);
        cr_assert_eq(kit->move_ms, 250);
        cr_assert(kit->is_clock_fair);
    }
}

/* Asks the kit of `seat`, which must give the planned answer. */
static void ask(struct kit_match *played, unsigned seat, const struct allegra_legal *legal)
{
    struct allegra_view view = allegra_view_of(&played->table, seat);
    char expected[64];
    const char *reply;
    struct text text;

    begin(&text);
    bot_line_write_table(&text, &view);
    bot_line_write_legal(&text, legal);
    bot_line_write_ask(&text, &view, ++played->id, 1000);
    cr_assert_not(text.is_cut);
    was_asked = false;
    reply = kit_send(&played->kits[seat], text.buffer);
    cr_assert(was_asked);
    text_start(&text, expected, sizeof expected);
    text_add_number(&text, (long)played->id);
    text_add_char(&text, ' ');
    answer_write(&text, planned);
    text_add_char(&text, '\n');
    cr_assert_str_eq(reply, expected);
}

static void play_match(struct kit_match *played, uint64_t seed)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&played->dice);
    struct allegra_rules rules;
    unsigned seats;

    current = played;
    played->dice = allegra_dice_from(seed);
    played->style = random_play_style(&played->dice);
    seats = 2 + allegra_dice_below(&played->dice, 5);
    rules = random_rules(&played->dice, seats);
    played->events.count = 0;
    allegra_table_start(&played->table, &rules, seats, 0, &shuffler, &played->events);
    seat_all(played);
    tell_all(played);
    while (!allegra_table_is_over(&played->table)) {
        unsigned seat = random_asked(&played->table, &played->dice);
        struct allegra_legal legal;

        allegra_legal_list(&played->table, seat, &legal);
        planned = random_answer(&played->table, seat, &legal, &played->style, &played->dice);
        ask(played, seat, &legal);
        allegra_table_apply(&played->table, seat, planned, &shuffler, &played->events);
        tell_all(played);
    }
}

Test(kit, a_bot_knows_from_its_lines_everything_that_its_seat_may_know)
{
    static struct kit_match played;

    for (uint64_t seed = 1; seed <= effort(MATCHES); seed++)
        play_match(&played, seed);
}

static struct allegra_answer choose_last(const struct allegra_view *view,
                                         const struct allegra_legal *legal, struct kit *kit)
{
    (void)view;
    (void)kit;
    return legal->list[legal->count - 1];
}

Test(kit, the_answer_has_the_id_of_the_question)
{
    struct kit kit;

    kit_start(&kit, "test", choose_last);
    cr_assert_str_eq(kit_send(&kit, "legal keep A1|drop E3\nask 907 move 1000 drawn=4 from=pile"),
                     "907 drop E3\n");
}

Test(kit, unknown_lines_and_fields_are_ignored)
{
    struct kit kit;

    kit_start(&kit, "test", choose_last);
    cr_assert_str_empty(kit_send(&kit,
                                 "weather sunny\nmatch seats=3 seat=2 moon=full rng=zz\n"
                                 "rules knock=off tides=high deck=none\n"
                                 "table round=2 active=99 stars=8 trigger=-\n"
                                 "display 7 1,2\ndisplay\n\n \ncleared\nfinal\nturn\nkept x"));
    cr_assert_eq(kit.view.seats, 3);
    cr_assert_eq(kit.view.me, 2);
    cr_assert_eq(kit.view.round, 2);
    cr_assert_eq(kit.view.rules.knock, 0);
    cr_assert_lt(kit.view.active, ALLEGRA_SEATS_MAX);
    cr_assert_str_eq(kit_send(&kit, "legal fly|pass|swim\nask 3 knock 50 mood=good"), "3 pass\n");
}

Test(kit, goodbye_ends_the_loop_and_a_result_does_not)
{
    struct kit kit;

    kit_start(&kit, "test", choose_last);
    kit_send(&kit, "result 1 2");
    cr_assert_not(kit.is_over);
    kit_send(&kit, "bye");
    cr_assert(kit.is_over);
}

/* The text that choose_and_say() tries to say, and how often it succeeded. */
static const char *const *sayings;
static unsigned allowed;

static struct allegra_answer choose_and_say(const struct allegra_view *view,
                                            const struct allegra_legal *legal, struct kit *kit)
{
    (void)view;
    allowed = 0;
    for (unsigned i = 0; sayings[i] != NULL; i++)
        allowed += kit_say(kit, sayings[i]) == 0;
    return legal->list[0];
}

#define LETTERS_40 "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"

Test(kit, an_allowed_say_line_is_sent_before_the_answer)
{
    static const struct {
        const char *rules;
        const char *sayings[4];
        const char *reply;
    } cases[] = {
        {"rules talk=on", {"hello", "world"}, "say hello\nsay world\n5 pass\n"},
        {"rules talk=on", {"a", "b", "c"}, "say a\nsay b\n5 pass\n"},
        {"rules talk=on", {"", "line\nend", "caf\xc3\xa9"}, "5 pass\n"},
        {"rules talk=on",
         {LETTERS_40 LETTERS_40 LETTERS_40},
         "say " LETTERS_40 LETTERS_40 LETTERS_40 "\n5 pass\n"},
        {"rules talk=on", {LETTERS_40 LETTERS_40 LETTERS_40 "x"}, "5 pass\n"},
        {"rules talk=off", {"hello"}, "5 pass\n"},
    };
    struct kit kit;

    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        kit_start(&kit, "test", choose_and_say);
        sayings = cases[i].sayings;
        kit_send(&kit, cases[i].rules);
        for (unsigned again = 0; again < 2; again++)
            cr_expect_str_eq(kit_send(&kit, "legal pass\nask 5 knock 100"), cases[i].reply,
                             "case %zu", i);
        cr_expect_eq(allowed, kit.saying_count, "case %zu", i);
    }
}

Test(kit, say_lines_of_others_are_kept_for_the_turn)
{
    struct kit kit;

    kit_start(&kit, "test", choose_last);
    kit_send(&kit,
             "match seats=3 seat=0\nturn 4 1\nsaid 1 seat 0: knock B3\nsaid 2 no  way\nsaid 1\n");
    cr_assert_str_eq(kit.said[1], "seat 0: knock B3");
    cr_assert_str_eq(kit.said[2], "no  way");
    kit_send(&kit, "turn 5 2");
    cr_assert_str_empty(kit.said[1]);
}
