/* One sentence per kind of event. Events that follow from others, such as the card that is
 * discarded after it was replaced, have none. */

#include "cli/event_sentence.h"

#include "game/game_text.h"

/* $n is the name of the seat, $o of the other seat, $c the card, $d the card it replaces, $p the
 * cell, $m all cells, $r the number, $s the score. */
static const char *const sentences[ALLEGRA_EVENT_COUNT] = {
    [ALLEGRA_EVENT_ROUND] = "Round $r: $n deals, $c starts the discard pile",
    [ALLEGRA_EVENT_TURNED] = "$n turns up $c at $p",
    [ALLEGRA_EVENT_DREW_PILE] = "$n draws $c",
    [ALLEGRA_EVENT_DREW_DISCARD] = "$n takes the discarded $c",
    [ALLEGRA_EVENT_KNOCKED] = "$n knocks, would place at $m",
    [ALLEGRA_EVENT_AGAIN] = "$n asks again",
    [ALLEGRA_EVENT_DECLINED] = "$n declines the knock",
    [ALLEGRA_EVENT_ACCEPTED] = "$n accepts the knock of $o",
    [ALLEGRA_EVENT_KEPT] = "$n keeps $c at $p in place of $d",
    [ALLEGRA_EVENT_DROPPED] = "$n drops $c",
    [ALLEGRA_EVENT_PLACED] = "$n places $c at $p and takes up $d",
    [ALLEGRA_EVENT_TOOK] = "$n takes $c from $p of $o",
    [ALLEGRA_EVENT_PUT] = "$n puts $c at $p in place of $d",
    [ALLEGRA_EVENT_TOSSED] = "$n tosses $c",
    [ALLEGRA_EVENT_RETURNED] = "$n puts back $c at $p",
    [ALLEGRA_EVENT_CLEARED] = "$n clears three $c at $m",
    [ALLEGRA_EVENT_RESHUFFLED] = "the discard pile becomes the new draw pile",
    [ALLEGRA_EVENT_FINAL] = "$n is complete: the final round begins",
    [ALLEGRA_EVENT_LIMIT] = "the turn limit ends the round",
    [ALLEGRA_EVENT_EXHAUSTED] = "$n chooses the empty draw pile, which ends the round",
    [ALLEGRA_EVENT_SCORED] = "$n scores $s",
};

static void add_card(struct text *text, int card)
{
    if (card == ALLEGRA_CARD_NONE)
        text_add(text, "a hidden card");
    else
        card_write(text, card);
}

static void add_cells(struct text *text, uint16_t cells)
{
    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        if (!(cells & ALLEGRA_CELL_BIT(cell)))
            continue;
        cell_write(text, cell);
        if (cells >> (cell + 1) != 0)
            text_add_char(text, ' ');
    }
}

static void add_field(struct text *text, char field, const struct allegra_event *event,
                      const char *const *names)
{
    switch (field) {
    case 'n':
        text_add(text, names[event->seat]);
        break;
    case 'o':
        text_add(text, names[event->other]);
        break;
    case 'c':
        add_card(text, event->card);
        break;
    case 'd':
        add_card(text, event->old);
        break;
    case 'p':
        cell_write(text, event->cell);
        break;
    case 'm':
        add_cells(text, event->cells);
        break;
    case 'r':
        text_add_number(text, event->number);
        break;
    default:
        score_write(text, event->score_halves);
        text_add(text, " (total ");
        score_write(text, event->total_halves);
        text_add_char(text, ')');
        break;
    }
}

bool event_sentence_write(struct text *text, const struct allegra_event *event,
                          const char *const *names)
{
    const char *at = sentences[event->kind];

    if (at == NULL)
        return false;
    if (event->kind == ALLEGRA_EVENT_KNOCKED && event->cells == 0)
        at = "$n knocks";
    for (; *at != '\0'; at++) {
        if (*at == '$')
            add_field(text, *++at, event, names);
        else
            text_add_char(text, *at);
    }
    return true;
}
