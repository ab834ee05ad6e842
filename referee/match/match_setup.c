/* The beginning of a match: the greeting, the hellos, the header of the log, the deal; and how bots
 * are dismissed. Hellos come in any order; bots that failed are dismissed in seat order, after the
 * header. */

#include "match/match_private.h"

#include "base/memory.h"
#include "match/autopilot.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void shuffle(void *context, unsigned round, unsigned reshuffle, int8_t *cards,
                    unsigned count)
{
    struct match *match = context;
    struct deal_random random;
    char label[40];

    snprintf(label, sizeof label, "deal %u %u", round, reshuffle);
    deal_random_start(&random, match->setup.seed, label);
    deal_random_shuffle(&random, (uint8_t *)cards, count);
}

struct match *match_new(const struct match_setup *setup, const struct match_ports *ports)
{
    struct match *match = xcalloc(1, sizeof *match);

    match->setup = *setup;
    match->ports = *ports;
    match->records = log_record_writer_new();
    match->shuffler =
        setup->shuffler != NULL ? *setup->shuffler : (struct allegra_shuffler){shuffle, match};
    if (setup->referee == NULL)
        match->setup.referee = REFEREE_VERSION;
    if (setup->autopilot == 0)
        match->setup.autopilot = AUTOPILOT_VERSION;
    if (setup->cores == 0)
        match->setup.cores = 1;
    match->hellos_missing = setup->seats;
    for (unsigned seat = 0; seat < setup->seats; seat++) {
        struct seat_stream *stream = seat_stream_new(seat, ports->tell, ports->context);

        match->seats[seat].stream = stream;
        match->seats[seat].bank_us = setup->bank_ms * 1000;
        if (setup->is_kept[seat]) {
            seat_stream_resume(stream, setup->asked_before[seat]);
        } else {
            bot_line_write_greeting(seat_stream_text(stream), match->setup.referee);
            seat_stream_flush(stream);
        }
    }
    return match;
}

struct log_record_time match_time_record(const struct bot_time *time)
{
    return (struct log_record_time){
        .charged_us = time->charged_us,
        .pondered_us = time->pondered_us,
        .is_measured = time->is_measured,
        .wall_us = time->wall_us,
        .cpu_us = time->cpu_us,
        .wait_us = time->wait_us,
        .away_us = time->away_us,
        .stolen_us = time->stolen_us,
    };
}

void match_keep_failure(struct match *match, unsigned seat, const struct bot_failure *failure)
{
    struct bot_failure *kept = xcalloc(1, sizeof *kept);

    *kept = *failure;
    kept->line = xstrdup(failure->line);
    kept->message = xstrdup(failure->message);
    kept->ending = xstrdup(failure->ending);
    kept->stderr_tail = xstrdup(failure->stderr_tail);
    match->seats[seat].failure = kept;
}

static void forget_failure(struct match_seat *place)
{
    struct bot_failure *kept = place->failure;

    if (kept == NULL)
        return;
    free((char *)kept->line);
    free((char *)kept->message);
    free((char *)kept->ending);
    free((char *)kept->stderr_tail);
    free(kept);
    place->failure = NULL;
}

void match_free(struct match *match)
{
    if (match == NULL)
        return;
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        seat_stream_free(match->seats[seat].stream);
        forget_failure(&match->seats[seat]);
    }
    log_record_writer_free(match->records);
    free(match);
}

void match_dismiss(struct match *match, unsigned seat, bool is_hello)
{
    struct match_seat *place = &match->seats[seat];
    const struct bot_failure *failure = place->failure;
    struct log_record_fault fault = {
        .seat = seat,
        .code = bot_outcome_name(failure->outcome),
        .question = allegra_table_question(&match->table),
        .is_hello = is_hello,
        .line = failure->line,
        .message = failure->message,
        .ending = failure->ending,
        .stderr_tail = failure->stderr_tail,
        .time = match_time_record(&failure->time),
    };
    const char *record;
    size_t length;

    place->fault = failure->outcome;
    place->fault_at = is_hello ? 0 : match->decisions + 1;
    record = log_record_fault(match->records, place->fault_at, &fault, &length);
    match_write(match, record, length);
    match->ports.dismiss(match->ports.context, seat);
    if (match->ports.observer.on_fault != NULL)
        match->ports.observer.on_fault(match->ports.observer.context, match, seat, failure);
    forget_failure(place);
}

void match_tell_dismissed(struct match *match, unsigned out)
{
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (match_is_playing(match, seat))
            bot_line_write_dismissed(seat_stream_text(match->seats[seat].stream), out,
                                     bot_outcome_name(match->seats[out].fault));
    }
}

static void write_header(struct match *match)
{
    const struct match_setup *setup = &match->setup;
    unsigned char hash[crypto_hash_sha256_BYTES];
    char commitment[LOG_RECORD_HASH_HEX];
    struct log_record_header header = {
        .rules = &setup->rules,
        .variant = setup->variant,
        .machine = setup->machine,
        .speed = setup->speed,
        .reference = setup->reference,
        .seats = setup->seats,
        .dealer = setup->dealer,
        .referee = setup->referee,
        .commitment = setup->commitment != NULL ? setup->commitment : commitment,
        .is_guessable = setup->is_guessable,
        .sandbox = setup->sandbox,
        .enforced = setup->enforced,
        .clock = clock_rule_name(setup->clock),
        .may_ponder = setup->may_ponder,
        .start_ms = setup->start_ms,
        .move_ms = setup->move_ms,
        .bank_ms = setup->bank_ms,
        .cores = setup->cores,
        .autopilot = setup->autopilot,
        .branch_of = setup->branch_of,
        .branch_at = setup->branch_at,
        .keeps_bots = setup->keeps_bots,
    };
    size_t length;
    const char *record;

    crypto_hash_sha256(hash, setup->seed, sizeof setup->seed);
    sodium_bin2hex(commitment, sizeof commitment, hash, sizeof hash);
    for (unsigned seat = 0; seat < setup->seats; seat++) {
        header.bots[seat] = (struct log_record_bot){
            .name = setup->names[seat],
            .command = setup->commands[seat],
            .hash = setup->hashes[seat],
            .hello = match->seats[seat].hello.name,
            .options = match->seats[seat].hello.options,
            .is_kept = setup->is_kept[seat],
            .asked_before = setup->asked_before[seat],
        };
    }
    record = log_record_header(match->records, &header, &length);
    match_write(match, record, length);
}

/* The number that a randomised bot may use: from the seed, but it says nothing about the deal. */
static uint64_t rng_of(const struct match *match, unsigned seat)
{
    struct deal_random random;
    char label[20];
    uint64_t high;

    snprintf(label, sizeof label, "rng %u", seat);
    deal_random_start(&random, match->setup.seed, label);
    high = deal_random_next(&random);
    return high << 32 | deal_random_next(&random);
}

static void tell_match(struct match *match, unsigned seat)
{
    struct bot_line_match line = {
        .rules = &match->setup.rules,
        .variant = match->setup.variant,
        .seats = match->setup.seats,
        .seat = seat,
        .move_ms = match->setup.move_ms,
        .bank_ms = match->setup.bank_ms,
        .clock = clock_rule_name(match->setup.clock),
        .may_ponder = match->setup.may_ponder,
        .rng = rng_of(match, seat),
    };

    for (unsigned other = 0; other < match->setup.seats; other++)
        line.names[other] = match->setup.names[other];
    seat_stream_set_options(match->seats[seat].stream, match->seats[seat].hello.options);
    bot_line_write_match(seat_stream_text(match->seats[seat].stream), &line);
}

static void begin(struct match *match)
{
    const char *record;
    size_t length;

    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (match_is_playing(match, seat))
            tell_match(match, seat);
    }
    for (unsigned seat = 0; seat < match->setup.seats; seat++) {
        if (!match_is_playing(match, seat))
            match_tell_dismissed(match, seat);
    }
    match->events.count = 0;
    allegra_table_start(&match->table, &match->setup.rules, match->setup.seats, match->setup.dealer,
                        &match->shuffler, &match->events);
    match_count_deal(match);
    record = log_record_start(match->records, &match->events, &length);
    match_write(match, record, length);
    match_tell_events(match);
    match_continue(match);
}

void match_hello_came(struct match *match)
{
    if (--match->hellos_missing > 0)
        return;
    write_header(match);
    for (unsigned i = 0; i < match->setup.seats; i++) {
        if (match->seats[i].failure != NULL)
            match_dismiss(match, i, true);
    }
    begin(match);
}

void match_hello(struct match *match, unsigned seat, const struct bot_line_hello *hello)
{
    match->seats[seat].hello = *hello;
    match_hello_came(match);
}
