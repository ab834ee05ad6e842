/* The events of a round say which card lay where when it was dealt, for every cell that somebody
 * has turned up or taken, and in which order the draw pile came. Each deal and each reshuffle is a
 * stage, which collects what its cards must be; cards are dealt from the end of the list that the
 * shuffler arranges. A shared cell is known by its name in column A. */

#include "match/replay_cards.h"

#include "base/memory.h"
#include "game/game_text.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_CARDS 12

struct stage {
    unsigned round;
    unsigned reshuffle;
    int8_t start; /* of the discard pile */
    int8_t dealt[ALLEGRA_SEATS_MAX][ALLEGRA_CELL_COUNT];
    bool is_replaced[ALLEGRA_SEATS_MAX][ALLEGRA_CELL_COUNT]; /* it is not the dealt one any more */
    int8_t drawn[ALLEGRA_DECK_MAX];
    unsigned drawn_count;
};

struct replay_cards {
    const struct allegra_rules *rules;
    unsigned seats;
    struct stage *stages;
    unsigned count;
    unsigned capacity;
};

struct replay_cards *replay_cards_new(const struct allegra_rules *rules, unsigned seats)
{
    struct replay_cards *cards = xcalloc(1, sizeof *cards);

    cards->rules = rules;
    cards->seats = seats;
    return cards;
}

void replay_cards_free(struct replay_cards *cards)
{
    if (cards == NULL)
        return;
    free(cards->stages);
    free(cards);
}

static void add_stage(struct replay_cards *cards, unsigned round, unsigned reshuffle, int8_t start)
{
    struct stage *stage;

    if (cards->count == cards->capacity) {
        cards->capacity = 2 * cards->capacity + 8;
        cards->stages = xrealloc(cards->stages, cards->capacity * sizeof *cards->stages);
    }
    stage = &cards->stages[cards->count++];
    memset(stage, 0, sizeof *stage);
    memset(stage->dealt, ALLEGRA_CARD_NONE, sizeof stage->dealt);
    stage->round = round;
    stage->reshuffle = reshuffle;
    stage->start = start;
}

/* The stage in which the cards of the present round were dealt. */
static struct stage *deal_of(struct replay_cards *cards)
{
    struct stage *last = &cards->stages[cards->count - 1];

    return last - last->reshuffle;
}

/* Reads "SEAT:CELL". Returns 0 or -1. */
static int read_place(const struct replay_cards *cards, struct span word, unsigned *seat,
                      unsigned *cell)
{
    struct span rest = word;
    struct span digit = span_cut(&rest, ':');
    long number = 0;

    if (rest.start == NULL || span_read_number(digit, 0, (long)cards->seats - 1, &number) != 0 ||
        cell_read(rest, cell) != 0)
        return -1;
    *seat = (unsigned)number;
    if (*cell % ALLEGRA_CELL_COLUMNS == ALLEGRA_CELL_COLUMNS - 1) {
        *seat = (*seat + cards->seats - 1) % cards->seats;
        *cell -= ALLEGRA_CELL_COLUMNS - 1;
    }
    return 0;
}

/* What lies at a place appears: if it still is what was dealt there, that is known now. */
static void see(struct replay_cards *cards, struct span place, struct span word, bool is_replaced)
{
    struct stage *deal = deal_of(cards);
    unsigned seat;
    unsigned cell;
    int8_t card;

    if (read_place(cards, place, &seat, &cell) != 0 || card_read(word, &card) != 0)
        return;
    if (!deal->is_replaced[seat][cell])
        deal->dealt[seat][cell] = card;
    deal->is_replaced[seat][cell] = deal->is_replaced[seat][cell] || is_replaced;
}

static void draw(struct replay_cards *cards, struct span word)
{
    struct stage *stage = &cards->stages[cards->count - 1];
    int8_t card;

    if (card_read(word, &card) == 0 && stage->drawn_count < ALLEGRA_DECK_MAX)
        stage->drawn[stage->drawn_count++] = card;
}

static void add_round(struct replay_cards *cards, struct span number, struct span word)
{
    long round = 0;
    int8_t card;

    if (span_read_number(number, 1, 1000000, &round) == 0 && card_read(word, &card) == 0)
        add_stage(cards, (unsigned)round, 0, card);
}

static void add_event(struct replay_cards *cards, struct span event)
{
    struct span words[5] = {{NULL, 0}};
    struct stage *last = cards->count > 0 ? &cards->stages[cards->count - 1] : NULL;

    for (unsigned i = 0; i < ARRAY_LEN(words) && event.start != NULL; i++)
        words[i] = span_cut(&event, ' ');
    if (span_is(words[0], "round"))
        add_round(cards, words[1], words[3]);
    else if (last == NULL)
        return;
    else if (span_is(words[0], "reshuffled"))
        add_stage(cards, last->round, last->reshuffle + 1, ALLEGRA_CARD_NONE);
    else if (span_is(words[0], "drew") && span_is(words[1], "pile"))
        draw(cards, words[3]);
    else if (span_is(words[0], "turned") || span_is(words[0], "shown"))
        see(cards, words[1], words[2], false);
    else if (span_is(words[0], "kept") || span_is(words[0], "placed") || span_is(words[0], "put"))
        see(cards, words[1], words[3], true);
    else if (span_is(words[0], "took"))
        see(cards, words[2], words[3], true);
}

void replay_cards_add(struct replay_cards *cards, struct span events)
{
    while (events.start != NULL && events.length > 0) {
        add_event(cards, span_cut(&events, ';'));
        if (events.start != NULL && events.length > 0 && events.start[0] == ' ')
            events = (struct span){events.start + 1, events.length - 1};
    }
}

/* The cards that a stage deals, the first one first; ALLEGRA_CARD_NONE where it is not known.
 * Returns how many are listed. */
static unsigned list_wanted(const struct replay_cards *cards, const struct stage *stage,
                            int8_t wanted[ALLEGRA_DECK_MAX])
{
    static const uint8_t cells_a[BLOCK_CARDS] = {1, 2, 3, 6, 7, 8, 11, 12, 13, 0, 5, 10};
    static const uint8_t cells_e[BLOCK_CARDS] = {1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14};
    bool is_a = cards->rules->deal_shared == ALLEGRA_DEAL_SHARED_A;
    unsigned count = 0;

    for (unsigned seat = 0; stage->reshuffle == 0 && seat < cards->seats; seat++) {
        for (unsigned i = 0; i < BLOCK_CARDS; i++) {
            unsigned cell = is_a ? cells_a[i] : cells_e[i];
            bool is_e = cell % ALLEGRA_CELL_COLUMNS == ALLEGRA_CELL_COLUMNS - 1;

            wanted[count++] = is_e ? stage->dealt[(seat + cards->seats - 1) % cards->seats]
                                                 [cell - (ALLEGRA_CELL_COLUMNS - 1)]
                                   : stage->dealt[seat][cell];
        }
    }
    if (stage->reshuffle == 0)
        wanted[count++] = stage->start;
    for (unsigned i = 0; i < stage->drawn_count && count < ALLEGRA_DECK_MAX; i++)
        wanted[count++] = stage->drawn[i];
    return count;
}

static const struct stage *find_stage(const struct replay_cards *cards, unsigned round,
                                      unsigned reshuffle)
{
    for (unsigned i = 0; i < cards->count; i++) {
        if (cards->stages[i].round == round && cards->stages[i].reshuffle == reshuffle)
            return &cards->stages[i];
    }
    return NULL;
}

/* Moves a card from the first `count` of the list to their end. Returns whether there is one. */
static bool move_last(int8_t *list, unsigned count, int8_t card)
{
    for (unsigned i = count; i-- > 0;) {
        if (list[i] == card) {
            list[i] = list[count - 1];
            list[count - 1] = card;
            return true;
        }
    }
    return false;
}

/* Known cards are laid aside first, so that no card is made up that is needed later. */
static void shuffle(void *context, unsigned round, unsigned reshuffle, int8_t *list, unsigned count)
{
    const struct replay_cards *cards = context;
    const struct stage *stage = find_stage(cards, round, reshuffle);
    int8_t wanted[ALLEGRA_DECK_MAX];
    int8_t rest[ALLEGRA_DECK_MAX];
    unsigned known = stage != NULL ? list_wanted(cards, stage, wanted) : 0;
    unsigned left = count;

    memcpy(rest, list, count);
    for (unsigned i = 0; i < count; i++) {
        if (i >= known || (wanted[i] != ALLEGRA_CARD_NONE && !move_last(rest, left, wanted[i])))
            wanted[i] = ALLEGRA_CARD_NONE;
        left -= wanted[i] != ALLEGRA_CARD_NONE;
    }
    for (unsigned i = 0; i < count; i++)
        list[count - 1 - i] = wanted[i] != ALLEGRA_CARD_NONE ? wanted[i] : rest[--left];
}

struct allegra_shuffler replay_cards_shuffler(struct replay_cards *cards)
{
    return (struct allegra_shuffler){shuffle, cards};
}
