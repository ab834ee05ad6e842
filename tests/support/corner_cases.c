/* One short function per kind of event that can be a corner case, and a table of names. */

#include "support/corner_cases.h"

static const char *const names[CORNER_COUNT] = {
    [CORNER_LATER_ROUND] = "later_round",
    [CORNER_RESHUFFLE] = "reshuffle",
    [CORNER_ONE_DISCARD] = "one_discard_only",
    [CORNER_END_ROUND] = "reshuffle_end_round",
    [CORNER_END_ROUND_FINAL] = "reshuffle_end_round_in_final",
    [CORNER_TURN_LIMIT] = "turn_limit",
    [CORNER_FROM_DISCARD_BACK] = "discard_dropped_again",
    [CORNER_ROW] = "row_cleared",
    [CORNER_ROW_OVER_GAP] = "row_cleared_over_gap",
    [CORNER_PRIVATE_COLUMN] = "private_column_cleared",
    [CORNER_SHARED_COLUMN] = "shared_column_cleared",
    [CORNER_THREE_MINUS_ONE] = "three_minus_one_cleared",
    [CORNER_OVERLAP] = "row_column_overlap",
    [CORNER_FOUR_IN_A_ROW] = "window_of_four",
    [CORNER_FIVE_IN_A_ROW] = "window_of_five",
    [CORNER_CHAIN] = "chain",
    [CORNER_STANDING] = "standing_triple",
    [CORNER_START_CLEAR] = "cleared_before_drawing",
    [CORNER_REFUSED_CLEAR] = "clear_refused",
    [CORNER_NO_KNOCK_ASKED] = "nobody_knocked_but_asked",
    [CORNER_ACCEPTED] = "knock_accepted",
    [CORNER_DECLINED] = "knock_declined",
    [CORNER_AGAIN] = "knock_again",
    [CORNER_BINDING] = "binding_offer",
    [CORNER_KNOCK_COMPLETE] = "complete_player_knocks",
    [CORNER_KNOCK_IN_FINAL] = "knock_in_final",
    [CORNER_PRIVATE_HAND] = "private_hand",
    [CORNER_KNOCKER_EMPTIED] = "knocker_emptied",
    [CORNER_ACTIVE_EMPTIED] = "active_emptied_by_knocker",
    [CORNER_BREAK_SAME_CELL] = "break_off_same_cell",
    [CORNER_BREAK_KNOCKER] = "break_off_knocker_empty",
    [CORNER_BREAK_ACTIVE] = "break_off_active_empty",
    [CORNER_TOOK_DOWN] = "took_down_card",
    [CORNER_TOOK_PLACED] = "took_placed_card",
    [CORNER_KNOCKER_COMPLETED] = "knocker_completed_by_taking",
    [CORNER_HOLE_SHARED] = "hole_in_shared_column",
    [CORNER_HOLE_COMMON] = "hole_in_common_column",
    [CORNER_TOSSED] = "tossed",
    [CORNER_SWAP_CLEAR] = "active_clears_after_swap",
    [CORNER_SECOND_CLEAR] = "knocker_clears_again",
    [CORNER_END_CLEAR] = "active_clears_at_end",
    [CORNER_FINAL] = "final_round",
    [CORNER_TRIGGER_NEIGHBOUR] = "trigger_by_neighbour",
    [CORNER_BOTH_ACTIVE] = "two_complete_active_chosen",
    [CORNER_BOTH_KNOCKER] = "two_complete_knocker_chosen",
    [CORNER_BOTH_NEXT] = "two_complete_next_chosen",
    [CORNER_FIRST_IN_TIME] = "two_complete_first_in_time",
    [CORNER_FINAL_SKIPPED] = "final_round_skips_complete",
    [CORNER_FINAL_LAST] = "final_round_starter_moves_again",
    [CORNER_TRIGGER_WON] = "trigger_won",
    [CORNER_TRIGGER_TIED] = "trigger_failed_by_tie",
    [CORNER_DOUBLED] = "trigger_doubled",
    [CORNER_FAILED_ZERO] = "trigger_failed_with_zero",
    [CORNER_NEGATIVE_KEPT] = "trigger_failed_negative_kept",
    [CORNER_NEGATIVE_HALVED] = "trigger_failed_negative_halved",
    [CORNER_MINUS_TEN] = "minus_ten",
    [CORNER_SCORE_LIMIT] = "score_limit_reached",
    [CORNER_TIE] = "match_tied",
};

const char *corner_cases_name(enum corner corner)
{
    return names[corner];
}

static void count_if(struct corner_cases *corners, enum corner corner, bool holds)
{
    corners->counts[corner] += holds;
}

void corner_cases_before(struct corner_cases *corners, const struct event_tracker *tracker,
                         const struct allegra_event *event)
{
    corners->final_left = tracker->final_left;
    if (event->kind == ALLEGRA_EVENT_TOOK) {
        corners->down = event_tracker_cells(tracker, event->other, SPOT_DOWN);
        corners->was_complete = event_tracker_is_complete(tracker, event->other);
    }
}

static void note_turn(struct corner_cases *corners, const struct event_tracker *tracker)
{
    bool is_final = tracker->trigger != ALLEGRA_SEAT_NONE;
    struct allegra_triples triples;

    corners->has_drawn = false;
    event_tracker_triples(tracker, tracker->active, &triples);
    count_if(corners, CORNER_STANDING, triples.count > 0);
    count_if(corners, CORNER_FINAL_SKIPPED,
             is_final && corners->final_left > tracker->final_left + 1);
    count_if(corners, CORNER_FINAL_LAST, is_final && tracker->final_left == 0);
}

static bool is_shared(uint16_t cells)
{
    return (cells & (ALLEGRA_CELL_COLUMN_A | ALLEGRA_CELL_COLUMN_E)) != 0;
}

static void note_cleared_line(struct corner_cases *corners, const struct allegra_event *event)
{
    bool is_column = (event->cells >> ALLEGRA_CELL_COLUMNS & event->cells) != 0;
    uint16_t from_first = event->cells >> allegra_cell_lowest(event->cells);

    count_if(corners, CORNER_ROW, !is_column);
    count_if(corners, CORNER_ROW_OVER_GAP, !is_column && from_first != 7);
    count_if(corners, CORNER_PRIVATE_COLUMN, is_column && !is_shared(event->cells));
    count_if(corners, CORNER_SHARED_COLUMN, is_column && is_shared(event->cells));
    count_if(corners, CORNER_THREE_MINUS_ONE, event->card == -1);
    count_if(corners, CORNER_START_CLEAR, !corners->has_drawn);
}

static void note_cleared(struct corner_cases *corners, const struct event_tracker *tracker,
                         const struct allegra_event *event)
{
    bool has_hand = tracker->hand != ALLEGRA_CARD_NONE;
    bool is_knocker = event->seat == tracker->knocker;

    note_cleared_line(corners, event);
    count_if(corners, CORNER_CHAIN, tracker->has_chained);
    count_if(corners, CORNER_SECOND_CLEAR, is_knocker && !has_hand);
    count_if(corners, CORNER_SWAP_CLEAR, !is_knocker && has_hand);
    count_if(corners, CORNER_END_CLEAR, !is_knocker && tracker->has_knock && !has_hand);
    count_if(corners, CORNER_KNOCKER_EMPTIED,
             is_knocker && has_hand && event_tracker_present(tracker, event->seat) == 0);
    count_if(corners, CORNER_ACTIVE_EMPTIED,
             is_knocker && has_hand && event_tracker_present(tracker, tracker->active) == 0);
}

static void note_discarded(struct corner_cases *corners, const struct event_tracker *tracker,
                           const struct allegra_event *event)
{
    uint16_t knocker;
    uint16_t active;

    if (event->seat == tracker->active)
        return;
    knocker = event_tracker_present(tracker, tracker->knocker);
    active = event_tracker_present(tracker, tracker->active);
    count_if(corners, CORNER_BREAK_KNOCKER, knocker == 0);
    count_if(corners, CORNER_BREAK_ACTIVE, active == 0 && knocker != 0);
    count_if(corners, CORNER_BREAK_SAME_CELL, active != 0 && knocker != 0);
}

static void note_placed(struct corner_cases *corners, const struct allegra_event *event)
{
    corners->placed = event->cell;
    count_if(corners, CORNER_PRIVATE_HAND, event->seen_by != UINT8_MAX);
    count_if(corners, CORNER_BINDING, corners->last_kind == ALLEGRA_EVENT_ACCEPTED);
}

static void note_took(struct corner_cases *corners, const struct event_tracker *tracker,
                      const struct allegra_event *event)
{
    count_if(corners, CORNER_TOOK_DOWN, corners->down >> event->cell & 1);
    count_if(corners, CORNER_TOOK_PLACED, event->cell == corners->placed);
    count_if(corners, CORNER_KNOCKER_COMPLETED,
             !corners->was_complete && event_tracker_is_complete(tracker, event->other));
    count_if(corners, CORNER_HOLE_SHARED, is_shared(ALLEGRA_CELL_BIT(event->cell)));
    count_if(corners, CORNER_HOLE_COMMON,
             event_tracker_cells(tracker, tracker->active, SPOT_HOLE) != 0);
}

static void note_final(struct corner_cases *corners, const struct event_tracker *tracker)
{
    unsigned complete = 0;
    bool is_active = tracker->trigger == tracker->active;
    bool is_knocker = tracker->trigger == tracker->knocker;

    for (unsigned seat = 0; seat < tracker->seats; seat++)
        complete += event_tracker_is_complete(tracker, seat);
    count_if(corners, CORNER_TRIGGER_NEIGHBOUR, !is_active && !is_knocker);
    count_if(corners, CORNER_BOTH_ACTIVE, complete > 1 && is_active);
    count_if(corners, CORNER_BOTH_KNOCKER,
             complete > 1 && is_knocker && !event_tracker_is_complete(tracker, tracker->active));
    count_if(corners, CORNER_BOTH_NEXT, complete > 1 && !is_active && !is_knocker);
    count_if(corners, CORNER_FIRST_IN_TIME,
             !is_active && event_tracker_is_complete(tracker, tracker->active));
}

static void note_trigger(struct corner_cases *corners, const struct event_tracker *tracker)
{
    int raw = corners->raw[tracker->trigger];
    int lowest_other = INT16_MAX;
    bool is_halved = tracker->rules.failed_negative == ALLEGRA_FAILED_NEGATIVE_HALVE;

    for (unsigned seat = 0; seat < tracker->seats; seat++) {
        if (seat != tracker->trigger && corners->raw[seat] < lowest_other)
            lowest_other = corners->raw[seat];
    }
    count_if(corners, CORNER_TRIGGER_WON, raw < lowest_other);
    count_if(corners, CORNER_TRIGGER_TIED, raw == lowest_other);
    if (raw < lowest_other)
        return;
    count_if(corners, CORNER_DOUBLED, raw > 0);
    count_if(corners, CORNER_FAILED_ZERO, raw == 0);
    count_if(corners, CORNER_NEGATIVE_KEPT, raw < 0 && !is_halved);
    count_if(corners, CORNER_NEGATIVE_HALVED, raw < 0 && is_halved);
}

static void note_scored(struct corner_cases *corners, const struct event_tracker *tracker,
                        const struct allegra_event *event)
{
    corners->raw[event->seat] = event->number;
    count_if(corners, CORNER_MINUS_TEN, event_tracker_present(tracker, event->seat) == 0);
    if (tracker->scored == tracker->seats && tracker->trigger != ALLEGRA_SEAT_NONE)
        note_trigger(corners, tracker);
}

static void note_over(struct corner_cases *corners, const struct event_tracker *tracker)
{
    int32_t least = tracker->total_halves[0];
    unsigned winners = 0;

    for (unsigned seat = 1; seat < tracker->seats; seat++)
        least = tracker->total_halves[seat] < least ? tracker->total_halves[seat] : least;
    for (unsigned seat = 0; seat < tracker->seats; seat++)
        winners += tracker->total_halves[seat] == least;
    count_if(corners, CORNER_TIE, winners > 1);
    count_if(corners, CORNER_SCORE_LIMIT, tracker->rules.score_limit > 0);
}

static void note_drew(struct corner_cases *corners, const struct allegra_event *event)
{
    corners->has_drawn = true;
    corners->is_from_discard = event->kind == ALLEGRA_EVENT_DREW_DISCARD;
}

/* Events that are corner cases by themselves. */
static void note_plain(struct corner_cases *corners, const struct event_tracker *tracker,
                       const struct allegra_event *event)
{
    bool is_final = tracker->trigger != ALLEGRA_SEAT_NONE;

    count_if(corners, CORNER_LATER_ROUND, event->kind == ALLEGRA_EVENT_ROUND);
    count_if(corners, CORNER_RESHUFFLE, event->kind == ALLEGRA_EVENT_RESHUFFLED);
    count_if(corners, CORNER_END_ROUND, event->kind == ALLEGRA_EVENT_EXHAUSTED);
    count_if(corners, CORNER_END_ROUND_FINAL, event->kind == ALLEGRA_EVENT_EXHAUSTED && is_final);
    count_if(corners, CORNER_TURN_LIMIT, event->kind == ALLEGRA_EVENT_LIMIT);
    count_if(corners, CORNER_FROM_DISCARD_BACK,
             event->kind == ALLEGRA_EVENT_DROPPED && corners->is_from_discard);
    count_if(corners, CORNER_ACCEPTED, event->kind == ALLEGRA_EVENT_ACCEPTED);
    count_if(corners, CORNER_KNOCK_IN_FINAL, event->kind == ALLEGRA_EVENT_ACCEPTED && is_final);
    count_if(corners, CORNER_DECLINED, event->kind == ALLEGRA_EVENT_DECLINED);
    count_if(corners, CORNER_AGAIN, event->kind == ALLEGRA_EVENT_AGAIN);
    count_if(corners, CORNER_KNOCK_COMPLETE,
             event->kind == ALLEGRA_EVENT_KNOCKED &&
                 event_tracker_is_complete(tracker, event->seat));
    count_if(corners, CORNER_TOSSED, event->kind == ALLEGRA_EVENT_TOSSED);
    count_if(corners, CORNER_FINAL, event->kind == ALLEGRA_EVENT_FINAL);
}

void corner_cases_after(struct corner_cases *corners, const struct event_tracker *tracker,
                        const struct allegra_event *event)
{
    note_plain(corners, tracker, event);
    if (event->kind == ALLEGRA_EVENT_TURN)
        note_turn(corners, tracker);
    else if (event->kind == ALLEGRA_EVENT_DREW_PILE || event->kind == ALLEGRA_EVENT_DREW_DISCARD)
        note_drew(corners, event);
    else if (event->kind == ALLEGRA_EVENT_CLEARED)
        note_cleared(corners, tracker, event);
    else if (event->kind == ALLEGRA_EVENT_DISCARDED)
        note_discarded(corners, tracker, event);
    else if (event->kind == ALLEGRA_EVENT_PLACED)
        note_placed(corners, event);
    else if (event->kind == ALLEGRA_EVENT_TOOK)
        note_took(corners, tracker, event);
    else if (event->kind == ALLEGRA_EVENT_FINAL)
        note_final(corners, tracker);
    else if (event->kind == ALLEGRA_EVENT_SCORED)
        note_scored(corners, tracker, event);
    else if (event->kind == ALLEGRA_EVENT_OVER)
        note_over(corners, tracker);
    corners->last_kind = event->kind;
}

void corner_cases_answer(struct corner_cases *corners, struct allegra_answer answer)
{
    corners->last_kind = ALLEGRA_EVENT_COUNT;
    count_if(corners, CORNER_REFUSED_CLEAR, answer.verb == ALLEGRA_VERB_NONE);
}

/* A choice of triples: in one row, or across. */
static void note_choice(struct corner_cases *corners, const struct allegra_table *table)
{
    struct allegra_triples triples;
    unsigned in_row[ALLEGRA_CELL_ROWS] = {0};
    uint16_t columns = 0;
    uint16_t rows = 0;

    allegra_clear_choices(table, &triples);
    for (unsigned i = 0; i < triples.count; i++) {
        uint16_t triple = triples.list[i];
        bool is_column = (triple >> ALLEGRA_CELL_COLUMNS & triple) != 0;

        in_row[allegra_cell_lowest(triple) / ALLEGRA_CELL_COLUMNS] += !is_column;
        columns |= is_column ? triple : 0;
        rows |= is_column ? 0 : triple;
    }
    count_if(corners, CORNER_OVERLAP, (columns & rows) != 0);
    for (unsigned row = 0;
         row < ALLEGRA_CELL_ROWS && table->rules.row_match == ALLEGRA_ROW_MATCH_ADJACENT; row++) {
        count_if(corners, CORNER_FOUR_IN_A_ROW, in_row[row] == 2);
        count_if(corners, CORNER_FIVE_IN_A_ROW, in_row[row] == 3);
    }
}

void corner_cases_question(struct corner_cases *corners, const struct allegra_table *table)
{
    if (table->question == ALLEGRA_QUESTION_CLEAR)
        note_choice(corners, table);
    count_if(corners, CORNER_NO_KNOCK_ASKED,
             table->question == ALLEGRA_QUESTION_ANSWER && table->knockers == 0);
    count_if(corners, CORNER_ONE_DISCARD,
             table->question == ALLEGRA_QUESTION_DRAW && table->draw_count == 0 &&
                 table->discard_count == 1 && table->rules.reshuffle == ALLEGRA_RESHUFFLE_KEEP_TOP);
}
