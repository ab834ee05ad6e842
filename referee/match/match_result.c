/* How a match ends, and the accessors for its state. */

#include "match/match_private.h"

#include <sodium.h>

/* Whether one seat did better than another: a bot that was not dismissed before one that was, a
 * later fault before an earlier one, fewer points before more. */
static bool is_better(const struct match *match, unsigned one, unsigned other)
{
    const struct match_seat *a = &match->seats[one];
    const struct match_seat *b = &match->seats[other];

    if (match_is_playing(match, one) != match_is_playing(match, other))
        return match_is_playing(match, one);
    if (!match_is_playing(match, one))
        return a->fault_at > b->fault_at;
    return match->table.total_halves[one] < match->table.total_halves[other];
}

static void write_result(struct match *match)
{
    char seed[LOG_RECORD_HASH_HEX];
    struct log_record_result result = {
        .seats = match->setup.seats,
        .places = match->places,
        .total_halves = match->table.total_halves,
        .rounds = match->table.round,
        .decisions = match->decisions,
        .seed = seed,
    };
    size_t length;
    const char *record;

    sodium_bin2hex(seed, sizeof seed, match->setup.seed, sizeof match->setup.seed);
    for (unsigned seat = 0; seat < match->setup.seats; seat++)
        seat_stream_hash(match->seats[seat].stream, result.sent[seat]);
    record = log_record_result(match->records, &result, &length);
    match_write(match, record, length);
}

void match_finish(struct match *match)
{
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        match->places[seat] = 1;
        for (unsigned other = 0; other < match->setup.seats; other++)
            match->places[seat] += is_better(match, other, seat);
    }
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        struct seat_stream *stream = match->seats[seat].stream;

        if (!match_is_playing(match, seat))
            continue;
        bot_line_write_result(seat_stream_text(stream), match->places, match->setup.seats);
        if (!match_keeps(match, seat))
            bot_line_write_bye(seat_stream_text(stream));
        seat_stream_flush(stream);
    }
    write_result(match);
    match->is_over = true;
}

uint64_t match_id(const struct match *match, unsigned seat)
{
    return seat_stream_id(match->seats[seat].stream);
}

size_t match_sent(const struct match *match, unsigned seat)
{
    return seat_stream_length(match->seats[seat].stream);
}

bool match_is_waiting(const struct match *match, unsigned seat)
{
    return match->waiting >> seat & 1;
}

bool match_is_over(const struct match *match)
{
    return match->is_over;
}

const struct allegra_table *match_table(const struct match *match)
{
    return &match->table;
}

const struct match_setup *match_setup_of(const struct match *match)
{
    return &match->setup;
}

unsigned long match_decisions(const struct match *match)
{
    return match->decisions;
}

unsigned long match_answers(const struct match *match)
{
    return match->answers;
}

const uint8_t *match_places(const struct match *match)
{
    return match->places;
}

const struct luck *match_luck(const struct match *match)
{
    return match->setup.measures_luck ? &match->luck : NULL;
}

struct bot_line_options match_options(const struct match *match, unsigned seat)
{
    return match->seats[seat].hello.options;
}

enum bot_outcome match_fault(const struct match *match, unsigned seat)
{
    return match->seats[seat].fault;
}

bool match_keeps(const struct match *match, unsigned seat)
{
    return match->setup.keeps_bots && match_is_playing(match, seat) &&
           match->seats[seat].hello.options.has_reuse;
}

const struct histogram *match_times(const struct match *match, unsigned seat)
{
    return &match->seats[seat].times;
}

int64_t match_charged_us(const struct match *match, unsigned seat)
{
    return match->seats[seat].charged_us;
}

int64_t match_slowest_us(const struct match *match, unsigned seat)
{
    return match->seats[seat].slowest_us;
}
