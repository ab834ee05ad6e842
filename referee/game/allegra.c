/* The functions of allegra.h that take and give C strings: the same as those of the referee, which
 * work on struct text and struct span. */

#include "game/allegra.h"

#include "game/game_text.h"
#include "game/position.h"
#include "game/rules.h"

/* Begins a text in a buffer that may have no room at all; then it goes to `none`. */
static void start(struct text *text, char *buffer, size_t size, char none[1])
{
    text_start(text, size > 0 ? buffer : none, size > 0 ? size : 1);
}

/* Copies as much as there is room for. Returns the full length, as snprintf() does. */
static size_t copy(const struct text *from, char *buffer, size_t size)
{
    struct text to;
    char none[1];

    start(&to, buffer, size, none);
    text_add_bytes(&to, from->buffer, from->length);
    return from->length;
}

size_t allegra_cell_write(unsigned cell, char *buffer, size_t size)
{
    char whole[4];
    struct text text;

    text_start(&text, whole, sizeof whole);
    cell_write(&text, cell);
    return copy(&text, buffer, size);
}

int allegra_cell_read(const char *text, unsigned *cell)
{
    return cell_read(span_of(text), cell);
}

int allegra_rules_read_edition(struct allegra_rules *rules, const char *name, char *problem,
                               size_t size)
{
    struct text text;
    char none[1];

    start(&text, problem, size, none);
    return rules_read_edition(span_of(name), rules, &text);
}

int allegra_rules_set(struct allegra_rules *rules, const char *key, const char *value,
                      char *problem, size_t size)
{
    struct text text;
    char none[1];

    start(&text, problem, size, none);
    return rules_set(rules, span_of(key), span_of(value), &text);
}

int allegra_rules_check(const struct allegra_rules *rules, unsigned seats, char *problem,
                        size_t size)
{
    struct text text;
    char none[1];

    start(&text, problem, size, none);
    return rules_check(rules, seats, &text);
}

int allegra_question_read(const char *name, enum allegra_question *question)
{
    return question_read(span_of(name), question);
}

size_t allegra_answer_write(struct allegra_answer answer, char *buffer, size_t size)
{
    char whole[80];
    struct text text;

    text_start(&text, whole, sizeof whole);
    answer_write(&text, answer);
    return copy(&text, buffer, size);
}

int allegra_answer_read(const char *text, struct allegra_answer *answer)
{
    return answer_read(span_of(text), answer);
}

size_t allegra_position_write(const struct allegra_table *table, char *buffer, size_t size)
{
    char whole[ALLEGRA_POSITION_MAX];
    struct text text;

    text_start(&text, whole, sizeof whole);
    position_write(&text, table);
    return copy(&text, buffer, size);
}

int allegra_position_read(const char *text, struct allegra_table *table, char *problem, size_t size)
{
    struct text sentence;
    char none[1];

    start(&sentence, problem, size, none);
    return position_read(span_of(text), table, &sentence);
}
