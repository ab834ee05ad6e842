/* The moment of a question: `table`, `display` and `legal` describe it, and `ask`, which
 * must be answered, says what is asked. */

#include "kit/hear.h"
#include "kit/words.h"

static void read_totals(struct allegra_view *view, struct span rest)
{
    for (unsigned seat = 0; seat < view->seats && rest.start != NULL; seat++)
        view->total_halves[seat] = (int32_t)words_halves(span_cut(&rest, ','));
}

static void read_table_pair(struct allegra_view *view, const struct words_pair *pair)
{
    const struct {
        const char *name;
        uint8_t *number;
    } numbers[] = {
        {"round", &view->round},     {"dealer", &view->dealer},         {"active", &view->active},
        {"draw", &view->draw_count}, {"discard", &view->discard_count},
    };

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        if (span_is(pair->name, numbers[i].name))
            words_small(pair->value, numbers[i].number);
    }
    if (span_is(pair->name, "turn")) {
        view->turn = (uint16_t)words_number(pair->value, 0, UINT16_MAX, view->turn);
    } else if (span_is(pair->name, "top")) {
        view->discard_top = ALLEGRA_CARD_NONE;
        words_card(pair->value, &view->discard_top);
    } else if (span_is(pair->name, "trigger")) {
        view->trigger = ALLEGRA_SEAT_NONE;
        words_seat(pair->value, &view->trigger);
        view->is_final = view->trigger != ALLEGRA_SEAT_NONE;
    } else if (span_is(pair->name, "totals")) {
        read_totals(view, pair->value);
    }
}

void hear_table(struct kit *kit, struct span rest)
{
    struct words_pair pair;

    while (words_next_pair(&rest, &pair))
        read_table_pair(&kit->view, &pair);
    if (kit->view.active >= ALLEGRA_SEATS_MAX)
        kit->view.active = 0;
}

static int8_t read_face(struct span word)
{
    int8_t card = ALLEGRA_VIEW_DOWN;

    if (span_is(word, "."))
        return ALLEGRA_VIEW_GAP;
    if (span_is(word, "_"))
        return ALLEGRA_VIEW_HOLE;
    card_read(word, &card);
    return card;
}

/* display SEAT a,b,c,d,e/… */
void hear_display(struct kit *kit, struct span rest)
{
    uint8_t seat = 0;
    struct span rows;

    words_seat(span_cut_word(&rest), &seat);
    rows = span_cut_word(&rest);
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT && rows.start != NULL; cell++) {
        char end = cell % ALLEGRA_CELL_COLUMNS == ALLEGRA_CELL_COLUMNS - 1 ? '/' : ',';

        kit->view.face[seat][cell] = read_face(span_cut(&rows, end));
    }
}

/* legal ANSWER|ANSWER|… */
void hear_legal(struct kit *kit, struct span rest)
{
    struct allegra_legal *legal = &kit->legal;

    legal->count = 0;
    while (rest.start != NULL && legal->count < ALLEGRA_LEGAL_MAX) {
        if (answer_read(span_cut(&rest, '|'), &legal->list[legal->count]) == 0)
            legal->count++;
    }
}

static uint8_t read_step(struct span word)
{
    static const char *const names[] = {
        [ALLEGRA_CLEAR_START] = "start",   [ALLEGRA_CLEAR_MOVE] = "move",
        [ALLEGRA_CLEAR_KNOCK1] = "knock1", [ALLEGRA_CLEAR_SWAP] = "swap",
        [ALLEGRA_CLEAR_KNOCK2] = "knock2", [ALLEGRA_CLEAR_END] = "end",
    };

    for (unsigned i = ALLEGRA_CLEAR_START; i < ARRAY_LEN(names); i++) {
        if (span_is(word, names[i]))
            return (uint8_t)i;
    }
    return ALLEGRA_CLEAR_NOTHING;
}

static uint16_t present_cells(const struct allegra_view *view)
{
    uint16_t present = 0;

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (view->face[view->me][cell] != ALLEGRA_VIEW_GAP)
            present |= ALLEGRA_CELL_BIT(cell);
    }
    return present;
}

/* The details of the question. */
static void read_matter(struct kit *kit, struct span rest)
{
    struct allegra_view *view = &kit->view;
    struct words_pair pair;

    while (words_next_pair(&rest, &pair)) {
        if (span_is(pair.name, "drawn"))
            words_card(pair.value, &view->drawn);
        else if (span_is(pair.name, "hand"))
            words_card(pair.value, &view->hand);
        else if (span_is(pair.name, "taken"))
            words_card(pair.value, &view->taken);
        else if (span_is(pair.name, "knocker"))
            words_seat(pair.value, &view->knocker);
        else if (span_is(pair.name, "bidding"))
            words_small(pair.value, &view->bid_round);
        else if (span_is(pair.name, "step"))
            view->clear_step = read_step(pair.value);
    }
    if (view->clear_step != ALLEGRA_CLEAR_NOTHING) {
        view->clear_start = present_cells(view);
        view->clear_start |= kit->clearer == view->me ? kit->cleared : 0;
    }
}

/* Chooses, and writes what there is to say and "ID ANSWER". */
static void reply_to(struct kit *kit, struct span id, struct text *reply)
{
    struct allegra_answer answer;

    kit->saying_count = 0;
    answer = kit->choose(&kit->view, &kit->legal, kit);
    for (unsigned i = 0; i < kit->saying_count; i++) {
        text_add(reply, "say ");
        text_add(reply, kit->sayings[i]);
        text_add_char(reply, '\n');
    }
    text_add_bytes(reply, id.start, id.length);
    text_add_char(reply, ' ');
    answer_write(reply, answer);
    text_add_char(reply, '\n');
}

/* ask ID WHAT MS … */
void hear_ask(struct kit *kit, struct span rest, struct text *reply)
{
    enum allegra_question question = ALLEGRA_QUESTION_NONE;
    struct span id = span_cut_word(&rest);

    question_read(span_cut_word(&rest), &question);
    kit->view.question = (uint8_t)question;
    kit->limit_ms = words_number(span_cut_word(&rest), 0, 1000000000, 0);
    read_matter(kit, rest);
    if (kit->legal.count > 0)
        reply_to(kit, id, reply);
    kit->legal.count = 0;
    kit->view.question = ALLEGRA_QUESTION_NONE;
    kit->view.clear_step = ALLEGRA_CLEAR_NOTHING;
    kit->view.clear_start = 0;
}
