/* Questions, verbs and refusals as words. Each list is one table; the reader and the writer of
 * answers both follow the table of verbs. */

#include "game/answer.h"

#include "game/rules.h"

#include <string.h>

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
    enum question question;
    enum argument argument;
};

static const struct verb_form verbs[VERB_COUNT] = {
    [VERB_TURN] = {"turn", QUESTION_REVEAL, ARGUMENT_CELL},
    [VERB_PILE] = {"pile", QUESTION_DRAW, ARGUMENT_NONE},
    [VERB_DISCARD] = {"discard", QUESTION_DRAW, ARGUMENT_NONE},
    [VERB_PASS] = {"pass", QUESTION_KNOCK, ARGUMENT_NONE},
    [VERB_KNOCK] = {"knock", QUESTION_KNOCK, ARGUMENT_MAYBE_CELL},
    [VERB_ACCEPT] = {"accept", QUESTION_ANSWER, ARGUMENT_SEAT},
    [VERB_DECLINE] = {"decline", QUESTION_ANSWER, ARGUMENT_NONE},
    [VERB_AGAIN] = {"again", QUESTION_ANSWER, ARGUMENT_NONE},
    [VERB_KEEP] = {"keep", QUESTION_MOVE, ARGUMENT_CELL},
    [VERB_DROP] = {"drop", QUESTION_MOVE, ARGUMENT_CELL},
    [VERB_PLACE] = {"place", QUESTION_PLACE, ARGUMENT_CELL},
    [VERB_TAKE] = {"take", QUESTION_TAKE, ARGUMENT_SEAT_CELL},
    [VERB_PUT] = {"put", QUESTION_PUT, ARGUMENT_CELL},
    [VERB_TOSS] = {"toss", QUESTION_PUT, ARGUMENT_NONE},
    [VERB_CLEAR] = {"clear", QUESTION_CLEAR, ARGUMENT_TRIPLE},
    [VERB_NONE] = {"none", QUESTION_CLEAR, ARGUMENT_NONE},
};

static const char *const question_names[QUESTION_COUNT] = {
    [QUESTION_NONE] = "nothing", [QUESTION_REVEAL] = "reveal", [QUESTION_DRAW] = "draw",
    [QUESTION_KNOCK] = "knock",  [QUESTION_ANSWER] = "answer", [QUESTION_MOVE] = "move",
    [QUESTION_PLACE] = "place",  [QUESTION_TAKE] = "take",     [QUESTION_PUT] = "put",
    [QUESTION_CLEAR] = "clear",
};

static const char *const refusals[REFUSAL_COUNT] = {
    [REFUSAL_NONE] = "it is legal",
    [REFUSAL_NOT_ASKED] = "nothing is asked of this seat now",
    [REFUSAL_OTHER_ANSWER] = "it answers another question",
    [REFUSAL_MALFORMED] = "its seat or its cells are not what the word needs",
    [REFUSAL_GAP] = "that cell is a gap: its card was cleared",
    [REFUSAL_HOLE] = "that cell is the hole that the taken card left",
    [REFUSAL_NOT_DOWN] = "that cell is not down",
    [REFUSAL_PILE_EMPTY] = "the draw pile is empty, and one discarded card makes no new one",
    [REFUSAL_NO_RETURN] =
        "a card taken from the discard pile may not be dropped (discard_return=no)",
    [REFUSAL_NO_KNOCK] = "that seat did not knock in this bidding round",
    [REFUSAL_NO_AGAIN] = "no further bidding round is allowed (knock_rounds)",
    [REFUSAL_OTHER_DISPLAY] = "the card must come from the display of the knocker",
    [REFUSAL_NO_OTHER_CELL] = "no other cell would be left to put that card into",
    [REFUSAL_NO_TOSS] = "the taken card must be put into a cell (knock_active_swap=must)",
    [REFUSAL_NO_TRIPLE] = "those cells are not a triple that may be cleared now",
    [REFUSAL_MUST_CLEAR] = "a triple is there that must be cleared",
};

const char *question_name(enum question question)
{
    return question_names[question];
}

int question_read(struct span word, enum question *question)
{
    for (unsigned i = 0; i < QUESTION_COUNT; i++) {
        if (span_is(word, question_names[i])) {
            *question = (enum question)i;
            return 0;
        }
    }
    return -1;
}

const char *verb_name(enum verb verb)
{
    return verbs[verb].name;
}

enum question verb_question(enum verb verb)
{
    return verbs[verb].question;
}

const char *refusal_words(enum refusal refusal)
{
    return refusals[refusal];
}

void answer_write(struct text *text, struct answer answer)
{
    const struct verb_form *form = &verbs[answer.verb];
    char before = ' ';

    text_add(text, form->name);
    if (form->argument == ARGUMENT_SEAT || form->argument == ARGUMENT_SEAT_CELL) {
        text_add_char(text, ' ');
        text_add_number(text, answer.seat);
        before = ':';
    }
    for (uint16_t rest = answer.cells; rest != 0; rest &= (uint16_t)(rest - 1)) {
        text_add_char(text, before);
        cell_write(text, cell_of(rest));
    }
}

static int read_cell(struct span word, struct answer *answer)
{
    unsigned cell;

    if (cell_read(word, &cell) != 0)
        return -1;
    answer->cells |= CELL_BIT(cell);
    return 0;
}

static int read_seat(struct span word, struct answer *answer)
{
    long seat;

    if (span_read_number(word, 0, RULES_SEATS_MAX - 1, &seat) != 0)
        return -1;
    answer->seat = (uint8_t)seat;
    return 0;
}

static int read_seat_cell(struct span word, struct answer *answer)
{
    struct span seat = span_cut(&word, ':');

    if (word.start == NULL || read_seat(seat, answer) != 0)
        return -1;
    return read_cell(word, answer);
}

/* In order, so that a triple has one spelling only. */
static int read_triple(struct span words, struct answer *answer)
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

static int read_argument(enum argument argument, struct span rest, struct answer *answer)
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

int answer_read(struct span span, struct answer *answer)
{
    struct span rest = span;
    struct span word = span_cut(&rest, ' ');

    for (unsigned i = 0; i < VERB_COUNT; i++) {
        struct answer read = {.verb = (uint8_t)i};

        if (!span_is(word, verbs[i].name))
            continue;
        if (read_argument(verbs[i].argument, rest, &read) != 0)
            return -1;
        *answer = read;
        return 0;
    }
    return -1;
}
