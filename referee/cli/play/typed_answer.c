/* A person leaves out what is clear. What was typed is taken apart into a verb and cells, either of
 * which may be missing, and compared with the legal answers: if exactly one fits, it is meant. */

#include "cli/play/typed_answer.h"

#include "game/game_text.h"

#include <ctype.h>

#define LINE_BYTES 80

/* What a line consists of. */
struct typed {
    char line[LINE_BYTES]; /* as the protocol writes it, one space between words */
    struct span verb;      /* may be empty */
    uint16_t cells;        /* may be 0 */
    bool has_more;         /* something is neither the verb nor a cell */
};

/* Reads `b2` or `2:b2`. Its letter becomes a capital. */
static bool take_cell(char *word, uint16_t *cells)
{
    char *name = word[0] != '\0' && word[1] == ':' ? word + 2 : word;
    char letter = name[0];
    unsigned cell;

    name[0] = (char)toupper((unsigned char)letter);
    if (cell_read(span_of(name), &cell) != 0) {
        name[0] = letter;
        return false;
    }
    *cells |= ALLEGRA_CELL_BIT(cell);
    return true;
}

static void take_word(struct typed *typed, struct text *text, struct span word)
{
    char *start = text->buffer + text->length + (text->length > 0);

    if (text->length > 0)
        text_add_char(text, ' ');
    for (size_t i = 0; i < word.length; i++)
        text_add_char(text, (char)tolower((unsigned char)word.start[i]));
    if (text->is_cut)
        typed->has_more = true;
    else if (take_cell(start, &typed->cells))
        return;
    else if (start == typed->line)
        typed->verb = (struct span){start, word.length};
    else
        typed->has_more = true;
}

static void take_apart(struct typed *typed, struct span line)
{
    struct text text;
    struct span word;

    text_start(&text, typed->line, sizeof typed->line);
    while ((word = span_cut_word(&line)).length > 0)
        take_word(typed, &text, word);
}

/* A bare cell is no knock: to bid is a decision of its own. */
static bool is_meant(const struct typed *typed, struct allegra_answer answer)
{
    char line[ALLEGRA_ANSWER_MAX];
    struct text text;
    struct span rest;

    if (answer.cells != typed->cells)
        return false;
    if (typed->verb.length == 0)
        return answer.cells != 0 && answer.verb != ALLEGRA_VERB_KNOCK;
    text_start(&text, line, sizeof line);
    answer_write(&text, answer);
    rest = span_of(line);
    rest = span_cut_word(&rest);
    return rest.length == typed->verb.length &&
           memcmp(rest.start, typed->verb.start, rest.length) == 0;
}

/* Counts the legal answers that fit and adds them to `list`. */
static unsigned find_meant(const struct typed *typed, const struct allegra_legal *legal,
                           struct allegra_answer *answer, struct text *list)
{
    unsigned count = 0;

    for (unsigned i = 0; i < legal->count && !typed->has_more; i++) {
        if (!is_meant(typed, legal->list[i]))
            continue;
        *answer = legal->list[i];
        text_add(list, count++ > 0 ? "` or `" : "`");
        answer_write(list, legal->list[i]);
    }
    return count;
}

int typed_answer_read(struct span line, const struct allegra_legal *legal,
                      struct allegra_answer *answer, struct text *problem)
{
    struct typed typed = {.cells = 0};
    char names[400];
    struct text list;
    unsigned count;
    long number;

    take_apart(&typed, line);
    if (span_read_number(span_of(typed.line), 1, (long)legal->count, &number) == 0) {
        *answer = legal->list[number - 1];
        return 0;
    }
    text_start(&list, names, sizeof names);
    count = find_meant(&typed, legal, answer, &list);
    if (count == 1 || (count == 0 && answer_read(span_of(typed.line), answer) == 0))
        return 0;
    if (count > 1)
        text_printf(problem, "Not clear: type %s`.", names);
    else
        text_add(problem, "Not a legal answer; `list` shows them, `?` explains the game.");
    return -1;
}
