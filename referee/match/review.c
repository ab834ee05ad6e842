/* The log is walked once, and what was asked is kept. Judging comes later, one seat's round at a
 * time (review_judge.c), because it is slow and a caller may want to show its progress. */

#include "match/review.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define CURVE_SEED UINT64_C(0x6375727665)

/* Adds one zeroed element to an array whose memory grows by doubling. Returns the array. */
static void *grow(void *array, size_t count, size_t size)
{
    if ((count & (count - 1)) == 0)
        array = xrealloc(array, (count == 0 ? 1 : 2 * count) * size);
    memset((char *)array + count * size, 0, size);
    return array;
}

static enum review_kind kind_of(const struct allegra_table *table,
                                const struct log_record_answer *answer)
{
    struct allegra_legal legal;

    if (answer->is_autopilot)
        return REVIEW_AUTOPILOT;
    if (answer->is_given)
        return REVIEW_GIVEN;
    allegra_legal_list(table, answer->seat, &legal);
    return legal.count == 1 ? REVIEW_FORCED : REVIEW_CHOICE;
}

static void add_answer(struct review *review, const struct review_step *step,
                       const struct allegra_table *table, const struct log_record_answer *answer)
{
    struct review_answer *added;

    review->answers = grow(review->answers, review->answer_count, sizeof *review->answers);
    added = &review->answers[review->answer_count++];
    added->number = step->number;
    added->seat = answer->seat;
    added->kind = kind_of(table, answer);
    added->played = answer->answer;
    added->table = *table;
}

/* The card that appeared, as the events of the decision tell it. */
static int card_of(const struct luck_event *luck, const struct allegra_events *events)
{
    static const struct {
        enum luck_kind luck;
        enum allegra_event_kind event;
        bool is_old;
    } rows[] = {
        {LUCK_DRAW, ALLEGRA_EVENT_DREW_PILE, false}, {LUCK_REVEAL, ALLEGRA_EVENT_TURNED, false},
        {LUCK_TURN, ALLEGRA_EVENT_TURNED, false},    {LUCK_SWAP, ALLEGRA_EVENT_KEPT, true},
        {LUCK_SWAP, ALLEGRA_EVENT_PLACED, true},     {LUCK_SWAP, ALLEGRA_EVENT_TOOK, false},
        {LUCK_SWAP, ALLEGRA_EVENT_PUT, true},
    };

    for (unsigned i = 0; i < events->count; i++) {
        const struct allegra_event *event = &events->list[i];

        for (size_t row = 0; row < ARRAY_LEN(rows); row++) {
            if (rows[row].luck == luck->kind && rows[row].event == event->kind)
                return rows[row].is_old ? event->old : event->card;
        }
    }
    return ALLEGRA_CARD_NONE;
}

/* Takes up the decision that comes next; `before` is its table. */
static void begin_step(struct review *review, const struct allegra_table *before,
                       const struct replay *replay)
{
    struct review_step *step;
    unsigned count;
    const struct log_record_answer *answers = replay_answers(replay, &count);

    review->steps = grow(review->steps, review->step_count, sizeof *review->steps);
    step = &review->steps[review->step_count++];
    step->number = match_decisions(replay_match(replay)) + 1;
    step->round = before->round;
    step->turn = before->turn;
    value_ahead(before, CURVE_SEED, &step->before);
    for (unsigned i = 0; i < count; i++)
        add_answer(review, step, before, &answers[i]);
}

/* Counts the luck of the decision that was just played. Bids turn up no card, but each counts as an
 * event, as when the match was played. */
static void end_step(struct review *review, const struct allegra_table *before,
                     const struct replay *replay)
{
    struct review_step *step = &review->steps[review->step_count - 1];
    bool is_bid = before->question == ALLEGRA_QUESTION_KNOCK;

    for (size_t i = 0; i < review->answer_count; i++) {
        const struct review_answer *answer = &review->answers[review->answer_count - 1 - i];

        if (answer->number != step->number)
            break;
        luck_add(&review->luck, before, answer->seat, answer->played,
                 is_bid ? before : match_table(replay_match(replay)), &step->luck);
    }
    step->card = card_of(&step->luck, replay_events(replay));
}

static void finish(struct review *review, const struct match *match)
{
    const struct allegra_table *table = match_table(match);

    review->is_over = match_is_over(match);
    review->rounds = table->round;
    value_ahead(table, CURVE_SEED, &review->end);
    for (unsigned seat = 0; seat < review->seats; seat++)
        review->totals[seat] = table->total_halves[seat] / 2.0;
}

struct review *review_walk(struct replay *replay, struct text *problem)
{
    const struct match *match = replay_match(replay);
    struct review *review = xcalloc(1, sizeof *review);
    int result = 1;

    review->seats = match_setup_of(match)->seats;
    luck_start(&review->luck, match_table(match), &review->deal);
    while (result > 0) {
        struct allegra_table before = *match_table(match);
        unsigned count;

        replay_answers(replay, &count);
        if (count > 0)
            begin_step(review, &before, replay);
        result = replay_next(replay, problem);
        if (result > 0 && count > 0)
            end_step(review, &before, replay);
    }
    if (result < 0) {
        review_free(review);
        return NULL;
    }
    finish(review, match);
    return review;
}

void review_free(struct review *review)
{
    if (review == NULL)
        return;
    free(review->steps);
    free(review->answers);
    free(review);
}
