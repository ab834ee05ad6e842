/* Questions, answers and refusals as text. Each list is one table; the reader and the writer of
 * answers both follow the table of verbs. */

#include "game/game_text.h"

/* What follows a verb. */
enum argument {
    ARGUMENT_NONE,
    ARGUMENT_CELL,
    ARGUMENT_MAYBE_CELL,
    ARGUMENT_SEAT,
    ARGUMENT_SEAT_CELL,
    ARGUMENT_TRIPLE,
};

struct verb_form {
    const char *name;
    enum allegra_question question;
    enum argument argument;
};

static const struct verb_form verbs[ALLEGRA_VERB_COUNT] = {
    [ALLEGRA_VERB_TURN] = {"turn", ALLEGRA_QUESTION_REVEAL, ARGUMENT_CELL},
    [ALLEGRA_VERB_PILE] = {"pile", ALLEGRA_QUESTION_DRAW, ARGUMENT_NONE},
    [ALLEGRA_VERB_DISCARD] = {"discard", ALLEGRA_QUESTION_DRAW, ARGUMENT_NONE},
    [ALLEGRA_VERB_PASS] = {"pass", ALLEGRA_QUESTION_KNOCK, ARGUMENT_NONE},
    [ALLEGRA_VERB_KNOCK] = {"knock", ALLEGRA_QUESTION_KNOCK, ARGUMENT_MAYBE_CELL},
    [ALLEGRA_VERB_ACCEPT] = {"accept", ALLEGRA_QUESTION_ANSWER, ARGUMENT_SEAT},
    [ALLEGRA_VERB_DECLINE] = {"decline", ALLEGRA_QUESTION_ANSWER, ARGUMENT_NONE},
    [ALLEGRA_VERB_AGAIN] = {"again", ALLEGRA_QUESTION_ANSWER, ARGUMENT_NONE},
    [ALLEGRA_VERB_KEEP] = {"keep", ALLEGRA_QUESTION_MOVE, ARGUMENT_CELL},
    [ALLEGRA_VERB_DROP] = {"drop", ALLEGRA_QUESTION_MOVE, ARGUMENT_CELL},
    [ALLEGRA_VERB_PLACE] = {"place", ALLEGRA_QUESTION_PLACE, ARGUMENT_CELL},
    [ALLEGRA_VERB_TAKE] = {"take", ALLEGRA_QUESTION_TAKE, ARGUMENT_SEAT_CELL},
    [ALLEGRA_VERB_PUT] = {"put", ALLEGRA_QUESTION_PUT, ARGUMENT_CELL},
    [ALLEGRA_VERB_TOSS] = {"toss", ALLEGRA_QUESTION_PUT, ARGUMENT_NONE},
    [ALLEGRA_VERB_CLEAR] = {"clear", ALLEGRA_QUESTION_CLEAR, ARGUMENT_TRIPLE},
    [ALLEGRA_VERB_NONE] = {"none", ALLEGRA_QUESTION_CLEAR, ARGUMENT_NONE},
};

static const char *const question_names[ALLEGRA_QUESTION_COUNT] = {
    [ALLEGRA_QUESTION_NONE] = "nothing",  [ALLEGRA_QUESTION_REVEAL] = "reveal",
    [ALLEGRA_QUESTION_DRAW] = "draw",     [ALLEGRA_QUESTION_KNOCK] = "knock",
    [ALLEGRA_QUESTION_ANSWER] = "answer", [ALLEGRA_QUESTION_MOVE] = "move",
    [ALLEGRA_QUESTION_PLACE] = "place",   [ALLEGRA_QUESTION_TAKE] = "take",
    [ALLEGRA_QUESTION_PUT] = "put",       [ALLEGRA_QUESTION_CLEAR] = "clear",
};

static const char *const refusals[ALLEGRA_REFUSAL_COUNT] = {
    [ALLEGRA_REFUSAL_NONE] = "it is legal",
    [ALLEGRA_REFUSAL_NOT_ASKED] = "nothing is asked of this seat now",
    [ALLEGRA_REFUSAL_OTHER_ANSWER] = "it answers another question",
    [ALLEGRA_REFUSAL_MALFORMED] = "its seat or its cells are not what the verb needs",
    [ALLEGRA_REFUSAL_GAP] = "that cell is a gap: its card was cleared",
    [ALLEGRA_REFUSAL_HOLE] = "that cell is the hole that the taken card left",
    [ALLEGRA_REFUSAL_NOT_DOWN] = "that cell is not down",
    [ALLEGRA_REFUSAL_PILE_EMPTY] =
        "the draw pile is empty, and a single discarded card is not enough for a new one",
    [ALLEGRA_REFUSAL_NO_RETURN] =
        "a card taken from the discard pile may not be dropped (discard_return=no)",
    [ALLEGRA_REFUSAL_NO_KNOCK] = "that seat did not knock in this bidding round",
    [ALLEGRA_REFUSAL_NO_AGAIN] = "no further bidding round is allowed (knock_rounds)",
    [ALLEGRA_REFUSAL_OTHER_DISPLAY] = "the card must come from the display of the knocker",
    [ALLEGRA_REFUSAL_NO_OTHER_CELL] = "no other cell would be left to put that card into",
    [ALLEGRA_REFUSAL_NO_TOSS] = "the taken card must be put into a cell (knock_active_swap=must)",
    [ALLEGRA_REFUSAL_NO_TRIPLE] = "those cells are not a triple that may be cleared now",
    [ALLEGRA_REFUSAL_MUST_CLEAR] = "a triple is there that must be cleared",
};

const char *allegra_question_name(enum allegra_question question)
{
    return (unsigned)question < ALLEGRA_QUESTION_COUNT ? question_names[question] : "unknown";
}

int question_read(struct span span, enum allegra_question *question)
{
    for (unsigned i = 0; i < ALLEGRA_QUESTION_COUNT; i++) {
        if (span_is(span, question_names[i])) {
            *question = (enum allegra_question)i;
            return 0;
        }
    }
    return -1;
}

const char *allegra_refusal_text(enum allegra_refusal refusal)
{
    return (unsigned)refusal < ALLEGRA_REFUSAL_COUNT ? refusals[refusal] : "unknown";
}

void answer_write(struct text *text, struct allegra_answer answer)
{
    const struct verb_form *form = &verbs[answer.verb];
    char before = ' ';

    if (answer.verb >= ALLEGRA_VERB_COUNT)
        return;
    text_add(text, form->name);
    if (form->argument == ARGUMENT_SEAT || form->argument == ARGUMENT_SEAT_CELL) {
        text_add_char(text, ' ');
        text_add_number(text, answer.seat);
        before = ':';
    }
    for (uint16_t rest = answer.cells; rest != 0; rest &= (uint16_t)(rest - 1)) {
        text_add_char(text, before);
        cell_write(text, allegra_cell_lowest(rest));
    }
}

static int read_cell(struct span word, struct allegra_answer *answer)
{
    unsigned cell;

    if (cell_read(word, &cell) != 0)
        return -1;
    answer->cells |= ALLEGRA_CELL_BIT(cell);
    return 0;
}

static int read_seat(struct span word, struct allegra_answer *answer)
{
    long seat;

    if (span_read_number(word, 0, ALLEGRA_SEATS_MAX - 1, &seat) != 0)
        return -1;
    answer->seat = (uint8_t)seat;
    return 0;
}

static int read_seat_cell(struct span word, struct allegra_answer *answer)
{
    struct span seat = span_cut(&word, ':');

    if (word.start == NULL || read_seat(seat, answer) != 0)
        return -1;
    return read_cell(word, answer);
}

/* In order, so that a triple has one spelling only. */
static int read_triple(struct span words, struct allegra_answer *answer)
{
    for (unsigned i = 0; i < 3; i++) {
        uint16_t before = answer->cells;

        if (words.start == NULL || read_cell(span_cut(&words, ' '), answer) != 0)
            return -1;
        if (answer->cells == before || answer->cells - before <= before)
            return -1;
    }
    return words.start == NULL ? 0 : -1;
}

static int read_argument(enum argument argument, struct span rest, struct allegra_answer *answer)
{
    if (argument == ARGUMENT_NONE)
        return rest.start == NULL ? 0 : -1;
    if (argument == ARGUMENT_MAYBE_CELL && rest.start == NULL)
        return 0;
    if (rest.start == NULL)
        return -1;
    switch (argument) {
    case ARGUMENT_SEAT:
        return read_seat(rest, answer);
    case ARGUMENT_SEAT_CELL:
        return read_seat_cell(rest, answer);
    case ARGUMENT_TRIPLE:
        return read_triple(rest, answer);
    default:
        return read_cell(rest, answer);
    }
}

int answer_read(struct span span, struct allegra_answer *answer)
{
    struct span rest = span;
    struct span word = span_cut(&rest, ' ');

    for (unsigned i = 0; i < ALLEGRA_VERB_COUNT; i++) {
        struct allegra_answer read = {.verb = (uint8_t)i};

        if (!span_is(word, verbs[i].name))
            continue;
        if (read_argument(verbs[i].argument, rest, &read) != 0)
            return -1;
        *answer = read;
        return 0;
    }
    return -1;
}
