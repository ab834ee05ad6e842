/* What the referee writes. Each writer adds whole lines of words separated by one blank, and
 * none of them longer than BOT_LINE_REFEREE_MAX. The table is written before every question, so
 * it is put together from ready-made pieces. */

#include "wire/bot_line.h"

#include "game/game_text.h"
#include "game/rules.h"

#include <string.h>

void bot_line_write_greeting(struct text *text, const char *referee)
{
    text_printf(text, "allegra %d referee=%s\n", BOT_LINE_VERSION, referee);
}

static void add_pair(struct text *text, const char *name, long value)
{
    text_add_char(text, ' ');
    text_add(text, name);
    text_add_char(text, '=');
    text_add_number(text, value);
}

static void add_word_pair(struct text *text, const char *name, const char *value)
{
    text_add_char(text, ' ');
    text_add(text, name);
    text_add_char(text, '=');
    text_add(text, value);
}

static void add_hex(struct text *text, uint64_t number)
{
    for (int shift = 60; shift >= 0; shift -= 4)
        text_add_char(text, "0123456789abcdef"[number >> shift & 15]);
}

static void write_rules(struct text *text, const struct allegra_rules *rules)
{
    text_add(text, "rules");
    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);

        text_add_char(text, ' ');
        text_add(text, key->name);
        text_add_char(text, '=');
        rules_write_value(text, rules, key);
    }
    text_add_char(text, '\n');
}

void bot_line_write_match(struct text *text, const struct bot_line_match *match)
{
    text_add(text, "match");
    add_pair(text, "seats", (long)match->seats);
    add_pair(text, "seat", (long)match->seat);
    add_word_pair(text, "edition",
                  allegra_edition_name((enum allegra_edition)match->rules->edition));
    if (match->variant != NULL && match->variant[0] != '\0')
        add_word_pair(text, "variant", match->variant);
    add_pair(text, "move_ms", match->move_ms);
    add_pair(text, "bank_ms", match->bank_ms);
    add_word_pair(text, "clock", match->clock);
    if (match->may_ponder)
        add_word_pair(text, "ponder", "on");
    text_add(text, " rng=");
    add_hex(text, match->rng);
    text_add_char(text, '\n');
    write_rules(text, match->rules);
    for (unsigned seat = 0; seat < match->seats; seat++) {
        text_add(text, "player ");
        text_add_number(text, seat);
        text_add_char(text, ' ');
        text_add(text, match->names[seat]);
        text_add_char(text, '\n');
    }
}

/* The parts of an event, in the order in which they are written. */
enum part {
    PART_END,
    PART_SEAT,
    PART_OTHER,
    PART_CELL,       /* seat:cell */
    PART_OTHER_CELL, /* other:cell */
    PART_CELLS,      /* seat:cell of each */
    PART_OFFER,      /* the cell of a knock, if there is one */
    PART_CARD,
    PART_OLD,
    PART_NUMBER,
    PART_SCORE,
    PART_TOTAL,
};

/* What follows the keyword of an event (see allegra_event_name). */
static const uint8_t forms[ALLEGRA_EVENT_COUNT][6] = {
    [ALLEGRA_EVENT_ROUND] = {PART_NUMBER, PART_SEAT, PART_CARD},
    [ALLEGRA_EVENT_TURNED] = {PART_CELL, PART_CARD},
    [ALLEGRA_EVENT_TURN] = {PART_NUMBER, PART_SEAT},
    [ALLEGRA_EVENT_RESHUFFLED] = {PART_NUMBER},
    [ALLEGRA_EVENT_DREW_PILE] = {PART_SEAT, PART_CARD},
    [ALLEGRA_EVENT_DREW_DISCARD] = {PART_SEAT, PART_CARD},
    [ALLEGRA_EVENT_PASSED] = {PART_SEAT},
    [ALLEGRA_EVENT_KNOCKED] = {PART_SEAT, PART_OFFER},
    [ALLEGRA_EVENT_AGAIN] = {PART_SEAT, PART_NUMBER},
    [ALLEGRA_EVENT_DECLINED] = {PART_SEAT},
    [ALLEGRA_EVENT_ACCEPTED] = {PART_SEAT, PART_OTHER},
    [ALLEGRA_EVENT_KEPT] = {PART_CELL, PART_CARD, PART_OLD},
    [ALLEGRA_EVENT_DROPPED] = {PART_SEAT, PART_CARD},
    [ALLEGRA_EVENT_PLACED] = {PART_CELL, PART_CARD, PART_OLD},
    [ALLEGRA_EVENT_TOOK] = {PART_SEAT, PART_OTHER_CELL, PART_CARD},
    [ALLEGRA_EVENT_PUT] = {PART_CELL, PART_CARD, PART_OLD},
    [ALLEGRA_EVENT_TOSSED] = {PART_SEAT, PART_CARD},
    [ALLEGRA_EVENT_RETURNED] = {PART_CELL, PART_CARD},
    [ALLEGRA_EVENT_CLEARED] = {PART_CELLS, PART_CARD},
    [ALLEGRA_EVENT_DISCARDED] = {PART_SEAT, PART_CARD},
    [ALLEGRA_EVENT_FINAL] = {PART_SEAT},
    [ALLEGRA_EVENT_LIMIT] = {PART_NUMBER},
    [ALLEGRA_EVENT_EXHAUSTED] = {PART_SEAT},
    [ALLEGRA_EVENT_SHOWN] = {PART_CELL, PART_CARD},
    [ALLEGRA_EVENT_SCORED] = {PART_SEAT, PART_NUMBER, PART_SCORE, PART_TOTAL},
    [ALLEGRA_EVENT_OVER] = {PART_END},
};

static void add_card(struct text *text, int card)
{
    if (card == ALLEGRA_CARD_NONE || card == ALLEGRA_VIEW_UNKNOWN)
        text_add_char(text, '?');
    else
        card_write(text, card);
}

static void add_cell(struct text *text, unsigned seat, unsigned cell)
{
    text_add_char(text, (char)('0' + seat));
    text_add_char(text, ':');
    cell_write(text, cell);
}

static void add_cells(struct text *text, unsigned seat, uint16_t cells)
{
    for (uint16_t rest = cells; rest != 0; rest &= (uint16_t)(rest - 1)) {
        text_add(text, rest == cells ? "" : " ");
        add_cell(text, seat, allegra_cell_lowest(rest));
    }
}

static void add_part(struct text *text, const struct allegra_event *event, enum part part)
{
    switch (part) {
    case PART_SEAT:
        text_add_number(text, event->seat);
        break;
    case PART_OTHER:
        text_add_number(text, event->other);
        break;
    case PART_CELL:
        add_cell(text, event->seat, event->cell);
        break;
    case PART_OTHER_CELL:
        add_cell(text, event->other, event->cell);
        break;
    case PART_CELLS:
    case PART_OFFER:
        add_cells(text, event->seat, event->cells);
        break;
    case PART_CARD:
        add_card(text, event->card);
        break;
    case PART_OLD:
        add_card(text, event->old);
        break;
    case PART_NUMBER:
        text_add_number(text, event->number);
        break;
    case PART_SCORE:
        score_write(text, event->score_halves);
        break;
    case PART_TOTAL:
        score_write(text, event->total_halves);
        break;
    case PART_END:
        break;
    }
}

void bot_line_write_event(struct text *text, const struct allegra_event *event, bool has_end)
{
    const uint8_t *parts = forms[event->kind];

    text_add(text, allegra_event_name((enum allegra_event_kind)event->kind));
    for (unsigned i = 0; i < ARRAY_LEN(forms[0]) && parts[i] != PART_END; i++) {
        if (parts[i] == PART_OFFER && event->cells == 0)
            continue;
        text_add_char(text, ' ');
        add_part(text, event, (enum part)parts[i]);
    }
    if (has_end)
        text_add_char(text, '\n');
}

/* The number after a literal name: most numbers of a table have one or two digits. */
static inline void add_after(struct text *text, const char *name, unsigned number)
{
    text_add(text, name);
    if (number < 10)
        text_add_char(text, (char)('0' + number));
    else
        text_add_number(text, number);
}

static void write_table_line(struct text *text, const struct allegra_view *view)
{
    add_after(text, "table round=", view->round);
    add_after(text, " turn=", view->turn);
    add_after(text, " dealer=", view->dealer);
    add_after(text, " active=", view->active);
    add_after(text, " draw=", view->draw_count);
    add_after(text, " discard=", view->discard_count);
    text_add(text, " top=");
    if (view->discard_top == ALLEGRA_CARD_NONE)
        text_add_char(text, '-');
    else
        card_write(text, view->discard_top);
    if (view->is_final)
        add_after(text, " trigger=", view->trigger);
    else
        text_add(text, " trigger=-");
    text_add(text, " totals=");
    for (unsigned seat = 0; seat < view->seats; seat++) {
        if (seat > 0)
            text_add_char(text, ',');
        score_write(text, view->total_halves[seat]);
    }
    text_add_char(text, '\n');
}

/* Writes a face and returns where the next thing goes. */
static char *write_face(char *at, int face)
{
    if (face == ALLEGRA_VIEW_DOWN || face == ALLEGRA_VIEW_GAP || face == ALLEGRA_VIEW_HOLE) {
        *at++ = face == ALLEGRA_VIEW_DOWN ? '?' : face == ALLEGRA_VIEW_GAP ? '.' : '_';
        return at;
    }
    if (face < 0)
        *at++ = '-';
    if (face > 9)
        *at++ = '1';
    *at++ = (char)('0' + (face < 0 ? -face : face % 10));
    return at;
}

static void write_display(struct text *text, const struct allegra_view *view, unsigned seat)
{
    char line[80] = "display 0 ";
    char *at = line + strlen(line);

    line[8] = (char)('0' + seat);
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        at = write_face(at, view->face[seat][cell]);
        *at++ = cell == ALLEGRA_CELL_COUNT - 1     ? '\n'
                : cell % ALLEGRA_CELL_COLUMNS == 4 ? '/'
                                                   : ',';
    }
    text_add_bytes(text, line, (size_t)(at - line));
}

void bot_line_write_table(struct text *text, const struct allegra_view *view)
{
    write_table_line(text, view);
    for (unsigned seat = 0; seat < view->seats; seat++)
        write_display(text, view, seat);
}

void bot_line_write_legal(struct text *text, const struct allegra_legal *legal)
{
    text_add(text, "legal ");
    for (unsigned i = 0; i < legal->count; i++) {
        if (i > 0)
            text_add_char(text, '|');
        answer_write(text, legal->list[i]);
    }
    text_add_char(text, '\n');
}

static void add_card_pair(struct text *text, const char *name, int card)
{
    add_word_pair(text, name, "");
    add_card(text, card);
}

static void add_bids(struct text *text, const struct allegra_view *view)
{
    const char *mark = " bids=";

    for (unsigned seat = 0; seat < view->seats; seat++) {
        if (!(view->bidders >> seat & 1))
            continue;
        text_add(text, mark);
        mark = ",";
        text_add_number(text, seat);
        text_add_char(text, ':');
        if (view->offer[seat] != 0)
            cell_write(text, allegra_cell_lowest(view->offer[seat]));
        else
            text_add(text, view->knockers >> seat & 1 ? "knock" : "pass");
    }
}

static const char *const step_names[] = {
    [ALLEGRA_CLEAR_NOTHING] = "-", [ALLEGRA_CLEAR_START] = "start",
    [ALLEGRA_CLEAR_MOVE] = "move", [ALLEGRA_CLEAR_KNOCK1] = "knock1",
    [ALLEGRA_CLEAR_SWAP] = "swap", [ALLEGRA_CLEAR_KNOCK2] = "knock2",
    [ALLEGRA_CLEAR_END] = "end",
};

/* What the question is about. */
static void add_matter(struct text *text, const struct allegra_view *view)
{
    switch ((enum allegra_question)view->question) {
    case ALLEGRA_QUESTION_KNOCK:
        add_card_pair(text, "drawn", view->drawn);
        add_pair(text, "by", view->active);
        add_pair(text, "bidding", view->bid_round);
        break;
    case ALLEGRA_QUESTION_ANSWER:
        add_card_pair(text, "drawn", view->drawn);
        add_bids(text, view);
        add_pair(text, "bidding", view->bid_round);
        break;
    case ALLEGRA_QUESTION_MOVE:
        add_card_pair(text, "drawn", view->drawn);
        add_word_pair(text, "from", view->is_from_discard ? "discard" : "pile");
        break;
    case ALLEGRA_QUESTION_PLACE:
        add_card_pair(text, "drawn", view->drawn);
        add_pair(text, "by", view->active);
        break;
    case ALLEGRA_QUESTION_TAKE:
        add_pair(text, "knocker", view->knocker);
        add_card_pair(text, "hand", view->hand);
        break;
    case ALLEGRA_QUESTION_PUT:
        add_card_pair(text, "taken", view->taken);
        add_pair(text, "knocker", view->knocker);
        add_card_pair(text, "hand", view->hand);
        break;
    case ALLEGRA_QUESTION_CLEAR:
        add_word_pair(text, "step", step_names[view->clear_step]);
        break;
    default:
        break;
    }
}

void bot_line_write_ask(struct text *text, const struct allegra_view *view, uint64_t id,
                        long limit_ms)
{
    text_add(text, "ask ");
    text_add_number(text, (long)id);
    text_add_char(text, ' ');
    text_add(text, allegra_question_name((enum allegra_question)view->question));
    text_add_char(text, ' ');
    text_add_number(text, limit_ms);
    add_matter(text, view);
    text_add_char(text, '\n');
}

void bot_line_write_said(struct text *text, unsigned seat, const char *said)
{
    text_add(text, "said ");
    text_add_number(text, seat);
    text_add_char(text, ' ');
    text_add(text, said);
    text_add_char(text, '\n');
}

void bot_line_write_dismissed(struct text *text, unsigned seat, const char *code)
{
    text_add(text, "dismissed ");
    text_add_number(text, seat);
    text_add_char(text, ' ');
    text_add(text, code);
    text_add_char(text, '\n');
}

void bot_line_write_result(struct text *text, const uint8_t *places, unsigned seats)
{
    text_add(text, "result");
    for (unsigned seat = 0; seat < seats; seat++) {
        text_add_char(text, ' ');
        text_add_number(text, places[seat]);
    }
    text_add_char(text, '\n');
}

void bot_line_write_bye(struct text *text)
{
    text_add(text, "bye\n");
}
