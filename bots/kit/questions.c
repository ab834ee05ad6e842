/* The lines of a question: `table`, `display` and `legal` describe the table, and `ask` says
 * what is asked and must be answered. */

#include "kit/fields.h"
#include "kit/line.h"

#include <stdio.h>
#include <string.h>

/* The most digits that the number of a question has. */
#define ID_MAX 20

static void read_table_pair(struct allegra_view *view, const char *name, const char *value)
{
    const struct {
        const char *name;
        uint8_t *number;
    } numbers[] = {
        {"round", &view->round},     {"dealer", &view->dealer},         {"active", &view->active},
        {"draw", &view->draw_count}, {"discard", &view->discard_count},
    };

    for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
        if (strcmp(name, numbers[i].name) == 0)
            fields_small(value, numbers[i].number);
    }
    if (strcmp(name, "turn") == 0) {
        view->turn = (uint16_t)fields_number(value, 0, UINT16_MAX, view->turn);
    } else if (strcmp(name, "top") == 0) {
        view->discard_top = ALLEGRA_CARD_NONE;
        fields_card(value, &view->discard_top);
    } else if (strcmp(name, "trigger") == 0) {
        view->trigger = ALLEGRA_SEAT_NONE;
        fields_seat(value, &view->trigger);
        view->is_final = view->trigger != ALLEGRA_SEAT_NONE;
    } else if (strcmp(name, "totals") == 0) {
        for (unsigned seat = 0; seat < view->seats && value != NULL; seat++) {
            view->total_halves[seat] = (int32_t)fields_halves(value);
            value = strchr(value, ',') != NULL ? strchr(value, ',') + 1 : NULL;
        }
    }
}

void line_table(struct kit *kit, char *rest)
{
    const char *name;
    const char *value;

    while (fields_next_pair(&rest, &name, &value))
        read_table_pair(&kit->view, name, value);
    if (kit->view.active >= ALLEGRA_SEATS_MAX)
        kit->view.active = 0;
}

static int8_t read_face(const char *field)
{
    int8_t card = ALLEGRA_VIEW_DOWN;

    if (strcmp(field, ".") == 0)
        return ALLEGRA_VIEW_GAP;
    if (strcmp(field, "_") == 0)
        return ALLEGRA_VIEW_HOLE;
    fields_card(field, &card);
    return card == ALLEGRA_VIEW_UNKNOWN ? ALLEGRA_VIEW_DOWN : card;
}

/* display SEAT a,b,c,d,e/… */
void line_display(struct kit *kit, char *rest)
{
    uint8_t seat = 0;
    char *rows;

    fields_seat(fields_next(&rest), &seat);
    rows = fields_next(&rest);
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT && rows != NULL; cell++) {
        char end = cell % ALLEGRA_CELL_COLUMNS == ALLEGRA_CELL_COLUMNS - 1 ? '/' : ',';

        kit->view.face[seat][cell] = read_face(fields_cut(&rows, end));
    }
}

/* legal ANSWER|ANSWER|… */
void line_legal(struct kit *kit, char *rest)
{
    struct allegra_legal *legal = &kit->legal;

    legal->count = 0;
    while (rest != NULL && legal->count < ALLEGRA_LEGAL_MAX) {
        if (allegra_answer_read(fields_cut(&rest, '|'), &legal->list[legal->count]) == 0)
            legal->count++;
    }
}

static uint8_t read_step(const char *field)
{
    static const char *const names[] = {
        [ALLEGRA_CLEAR_START] = "start",   [ALLEGRA_CLEAR_MOVE] = "move",
        [ALLEGRA_CLEAR_KNOCK1] = "knock1", [ALLEGRA_CLEAR_SWAP] = "swap",
        [ALLEGRA_CLEAR_KNOCK2] = "knock2", [ALLEGRA_CLEAR_END] = "end",
    };

    for (unsigned i = ALLEGRA_CLEAR_START; i < ARRAY_LEN(names); i++) {
        if (strcmp(field, names[i]) == 0)
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
static void read_details(struct kit *kit, char *rest)
{
    struct allegra_view *view = &kit->view;
    const char *name;
    const char *value;

    while (fields_next_pair(&rest, &name, &value)) {
        if (strcmp(name, "drawn") == 0)
            fields_card(value, &view->drawn);
        else if (strcmp(name, "hand") == 0)
            fields_card(value, &view->hand);
        else if (strcmp(name, "taken") == 0)
            fields_card(value, &view->taken);
        else if (strcmp(name, "knocker") == 0)
            fields_seat(value, &view->knocker);
        else if (strcmp(name, "bidding") == 0)
            fields_small(value, &view->bid_round);
        else if (strcmp(name, "step") == 0)
            view->clear_step = read_step(value);
    }
    if (view->clear_step != ALLEGRA_CLEAR_NOTHING) {
        view->clear_start = present_cells(view);
        view->clear_start |= kit->clearer == view->me ? kit->cleared : 0;
    }
}

/* Chooses, and writes the texts to say and "ID ANSWER". */
static size_t answer(struct kit *kit, const char *id, char *reply, size_t size)
{
    char text[ALLEGRA_ANSWER_MAX];
    int length = 0;

    kit->saying_count = 0;
    allegra_answer_write(kit->choose(&kit->view, &kit->legal, kit), text, sizeof text);
    for (unsigned i = 0; i < kit->saying_count; i++)
        length += snprintf(reply + length, size - (size_t)length, "say %s\n", kit->sayings[i]);
    length += snprintf(reply + length, size - (size_t)length, "%s %s\n", id, text);
    return (size_t)length;
}

/* ask ID QUESTION MS … */
size_t line_ask(struct kit *kit, char *rest, char *reply, size_t size)
{
    enum allegra_question question = ALLEGRA_QUESTION_NONE;
    const char *id = fields_next(&rest);
    size_t length = 0;

    allegra_question_read(fields_next(&rest), &question);
    kit->view.question = (uint8_t)question;
    kit->limit_ms = fields_number(fields_next(&rest), 0, 1000000000, 0);
    read_details(kit, rest);
    if (kit->legal.count > 0 && strlen(id) <= ID_MAX)
        length = answer(kit, id, reply, size);
    kit->legal.count = 0;
    kit->view.question = ALLEGRA_QUESTION_NONE;
    kit->view.clear_step = ALLEGRA_CLEAR_NOTHING;
    kit->view.clear_start = 0;
    return length;
}
