/* A test starts with a position, gives answers, and compares texts. Everything on the table has a
 * short text here, in the notation of the rules, so that a failed comparison shows what happened.
 * */

#include "support/position.h"
#include "game/game_text.h"
#include "game/position.h"
#include "game/rules.h"

#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct allegra_table table_from(const char *format, ...)
{
    char position[ALLEGRA_POSITION_MAX];
    char message[200];
    struct allegra_table table;
    struct text problem;
    va_list list;

    va_start(list, format);
    cr_assert_lt(vsnprintf(position, sizeof position, format, list), (int)sizeof position);
    va_end(list);
    text_start(&problem, message, sizeof message);
    cr_assert_eq(position_read(span_of(position), &table, &problem), 0, "%s in:\n%s", message,
                 position);
    return table;
}

void set_rule(struct allegra_table *table, const char *pair)
{
    char message[200];
    struct text problem;

    text_start(&problem, message, sizeof message);
    cr_assert_eq(rules_set_pair(&table->rules, span_of(pair), &problem), 0, "%s", message);
}

static void shuffle_never(void *context, unsigned round, unsigned reshuffle, int8_t *cards,
                          unsigned count)
{
    (void)context;
    (void)cards;
    cr_assert_fail("%u cards are shuffled in round %u, reshuffle %u", count, round, reshuffle);
}

struct allegra_shuffler shuffler_never(void)
{
    return (struct allegra_shuffler){shuffle_never, NULL};
}

/* Moves the topmost `card` among the first `count` to their end. */
static void move_up(int8_t *cards, unsigned count, int8_t card)
{
    for (unsigned i = count; i > 0; i--) {
        if (cards[i - 1] == card) {
            memmove(&cards[i - 1], &cards[i], count - i);
            cards[count - 1] = card;
            return;
        }
    }
    cr_assert_fail("no %d is left to move up", card);
}

static void shuffle_scripted(void *context, unsigned round, unsigned reshuffle, int8_t *cards,
                             unsigned count)
{
    struct script *script = context;
    struct span rest = span_of(script->first);
    unsigned left = count;

    script->calls++;
    script->round = round;
    script->reshuffle = reshuffle;
    script->count = count;
    for (struct span word = span_cut_word(&rest); word.length > 0; word = span_cut_word(&rest)) {
        int8_t card = 0;

        cr_assert_eq(card_read(word, &card), 0, "\"%s\" contains something that is not a card",
                     script->first);
        move_up(cards, left--, card);
    }
}

struct allegra_shuffler shuffler_scripted(struct script *script)
{
    return (struct allegra_shuffler){shuffle_scripted, script};
}

static struct allegra_answer answer_from(struct span text)
{
    struct allegra_answer answer = {0};

    cr_assert_eq(answer_read(text, &answer), 0, "\"%.*s\" is not an answer", (int)text.length,
                 text.start);
    return answer;
}

static struct allegra_events play_span(struct allegra_table *table, unsigned seat,
                                       struct span answer, const struct allegra_shuffler *shuffler)
{
    struct allegra_events events;
    struct allegra_table before = *table;
    enum allegra_refusal refusal =
        allegra_table_apply(table, seat, answer_from(answer), shuffler, &events);

    cr_assert_eq(refusal, ALLEGRA_REFUSAL_NONE,
                 "seat %u may not \"%.*s\": %s; the question is %s\n%s", seat, (int)answer.length,
                 answer.start, allegra_refusal_text(refusal), asked_text(&before),
                 position_text(&before));
    return events;
}

struct allegra_events play_with(struct allegra_table *table, unsigned seat, const char *answer,
                                const struct allegra_shuffler *shuffler)
{
    return play_span(table, seat, span_of(answer), shuffler);
}

struct allegra_events play(struct allegra_table *table, unsigned seat, const char *answer)
{
    struct allegra_shuffler never = shuffler_never();

    return play_with(table, seat, answer, &never);
}

struct allegra_events play_all(struct allegra_table *table, const char *answers)
{
    struct span rest = span_of(answers);
    struct allegra_shuffler never = shuffler_never();
    struct allegra_events events = {0};

    while (rest.start != NULL) {
        struct span answer = span_cut(&rest, ',');
        long seat = 0;

        while (answer.length > 0 && answer.start[0] == ' ')
            answer = (struct span){answer.start + 1, answer.length - 1};
        cr_assert_eq(span_read_number(span_cut(&answer, ' '), 0, ALLEGRA_SEATS_MAX, &seat), 0,
                     "\"%s\" has an answer without a seat", answers);
        events = play_span(table, (unsigned)seat, answer, &never);
    }
    return events;
}

enum allegra_refusal refused(struct allegra_table *table, unsigned seat, const char *answer)
{
    struct allegra_shuffler never = shuffler_never();
    struct allegra_events events = {.count = 99};
    struct allegra_table before = *table;
    enum allegra_refusal refusal =
        allegra_table_apply(table, seat, answer_from(span_of(answer)), &never, &events);

    cr_assert_neq(refusal, ALLEGRA_REFUSAL_NONE, "\"%s\" is accepted", answer);
    cr_assert(is_same_bytes(table, &before, sizeof before), "\"%s\" changes the table", answer);
    cr_assert_eq(events.count, 0, "\"%s\" causes events", answer);
    return refusal;
}

struct allegra_events draw_without_knocks(struct allegra_table *table, unsigned seat)
{
    struct allegra_events events = play(table, seat, "pile");

    for (unsigned other = 0; other < table->seats; other++) {
        if (allegra_table_question(table) == ALLEGRA_QUESTION_KNOCK &&
            allegra_table_asked(table) >> other & 1)
            events = play(table, other, "pass");
    }
    return events;
}

void clear_if_asked(struct allegra_table *table, unsigned seat, const char *cells)
{
    char answer[40];

    if (allegra_table_question(table) != ALLEGRA_QUESTION_CLEAR ||
        !(allegra_table_asked(table) >> seat & 1))
        return;
    snprintf(answer, sizeof answer, "clear %s", cells);
    play(table, seat, answer);
}

const char *asked_text(const struct allegra_table *table)
{
    static char buffer[40];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    for (unsigned seat = 0; seat < table->seats; seat++) {
        if (!(allegra_table_asked(table) >> seat & 1))
            continue;
        text_add(&text, text.length > 0 ? "," : "");
        text_add_number(&text, seat);
    }
    text_add(&text, text.length > 0 ? " " : "");
    text_add(&text, allegra_question_name(allegra_table_question(table)));
    return buffer;
}

const char *legal_text(const struct allegra_table *table, unsigned seat)
{
    static char buffer[1000];
    struct allegra_legal legal;
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    allegra_legal_list(table, seat, &legal);
    for (unsigned i = 0; i < legal.count; i++) {
        text_add(&text, i > 0 ? ", " : "");
        answer_write(&text, legal.list[i]);
    }
    cr_assert_not(text.is_cut);
    return buffer;
}

static void add_number(struct text *text, long number)
{
    text_add(text, text->length > 0 ? " " : "");
    text_add_number(text, number);
}

const char *discard_text(const struct allegra_table *table)
{
    static char buffer[4 * ALLEGRA_DECK_MAX];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    for (unsigned i = 0; i < table->discard_count; i++)
        add_number(&text, allegra_table_discarded(table, i));
    return buffer;
}

const char *draw_text(const struct allegra_table *table)
{
    static char buffer[4 * ALLEGRA_DECK_MAX];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    for (unsigned i = 0; i < table->draw_count; i++)
        add_number(&text, table->pile[i]);
    return buffer;
}

static void add_cell(struct text *text, const struct allegra_table *table, unsigned seat,
                     unsigned cell)
{
    int8_t card = allegra_table_card(table, seat, cell);

    if (!(table->present[seat] >> cell & 1)) {
        text_add(text, ".");
    } else if (card == ALLEGRA_CARD_NONE) {
        text_add(text, "_");
    } else {
        text_add(text, table->down[seat] >> cell & 1 ? "#" : "");
        text_add_number(text, card);
    }
}

const char *display_text(const struct allegra_table *table, unsigned seat)
{
    static char buffer[120];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (cell > 0)
            text_add(&text, cell % ALLEGRA_CELL_COLUMNS == 0 ? " / " : " ");
        add_cell(&text, table, seat, cell);
    }
    return buffer;
}

const char *position_text(const struct allegra_table *table)
{
    static char buffer[ALLEGRA_POSITION_MAX];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    position_write(&text, table);
    cr_assert_not(text.is_cut, "POSITION_MAX is too small");
    return buffer;
}

bool is_same_bytes(const void *one, const void *other, size_t size)
{
    return memcmp(one, other, size) == 0;
}

unsigned cards_of(const struct allegra_table *table, unsigned seat)
{
    return allegra_cell_count(table->present[seat]);
}

unsigned down_of(const struct allegra_table *table, unsigned seat)
{
    return allegra_cell_count(table->down[seat]);
}

const char *events_text(const struct allegra_events *events)
{
    static char buffer[16 * ALLEGRA_EVENTS_MAX];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    for (unsigned i = 0; i < events->count; i++) {
        text_add(&text, i > 0 ? " " : "");
        text_add(&text, allegra_event_name((enum allegra_event_kind)events->list[i].kind));
    }
    return buffer;
}

struct allegra_event event_of(const struct allegra_events *events, enum allegra_event_kind kind)
{
    for (unsigned i = 0; i < events->count; i++) {
        if (events->list[i].kind == kind)
            return events->list[i];
    }
    cr_assert_fail("no \"%s\" in: %s", allegra_event_name(kind), events_text(events));
    return (struct allegra_event){0};
}

static void add_halves(struct text *text, int halves)
{
    text_add(text, text->length > 0 ? " " : "");
    text_add(text, halves == -1 ? "-" : "");
    text_add_number(text, halves / 2);
    text_add(text, halves % 2 != 0 ? ".5" : "");
}

enum score_kind { SCORE_RAW, SCORE_ROUND, SCORE_TOTAL };

static void write_scores(const struct allegra_events *events, enum score_kind kind,
                         struct text *text)
{
    for (unsigned i = 0; i < events->count; i++) {
        const struct allegra_event *event = &events->list[i];

        if (event->kind != ALLEGRA_EVENT_SCORED)
            continue;
        add_halves(text, kind == SCORE_RAW     ? 2 * event->number
                         : kind == SCORE_ROUND ? event->score_halves
                                               : event->total_halves);
    }
}

const char *raw_text(const struct allegra_events *events)
{
    static char buffer[80];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    write_scores(events, SCORE_RAW, &text);
    return buffer;
}

const char *score_text(const struct allegra_events *events)
{
    static char buffer[80];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    write_scores(events, SCORE_ROUND, &text);
    return buffer;
}

const char *total_text(const struct allegra_events *events)
{
    static char buffer[80];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    write_scores(events, SCORE_TOTAL, &text);
    return buffer;
}
