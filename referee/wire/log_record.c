/* Log records. Names are short, because a match has hundreds of decisions; what the rules can work
 * out again is written once, as the events of the decision that caused it. */

#include "wire/log_record.h"

#include "base/memory.h"
#include "game/game_text.h"
#include "game/rules.h"
#include "wire/json_write.h"

#include <stdlib.h>
#include <string.h>

/* All events of one decision as text: 72 cells shown and six scores at the most. */
#define EVENTS_TEXT_MAX 4096

struct log_record_writer {
    struct json_writer *json;
    char events[EVENTS_TEXT_MAX];
};

struct log_record_writer *log_record_writer_new(void)
{
    struct log_record_writer *writer = xcalloc(1, sizeof *writer);

    writer->json = json_writer_new(false);
    return writer;
}

void log_record_writer_free(struct log_record_writer *writer)
{
    if (writer == NULL)
        return;
    json_writer_free(writer->json);
    free(writer);
}

static struct json_writer *begin(struct log_record_writer *writer)
{
    json_writer_clear(writer->json);
    json_open_map(writer->json);
    return writer->json;
}

static const char *end(struct log_record_writer *writer, size_t *length)
{
    json_close_map(writer->json);
    return json_writer_bytes(writer->json, length);
}

static void put_rules(struct json_writer *json, const struct allegra_rules *rules)
{
    char value[80];
    struct text text;

    json_key(json, "rules");
    json_open_map(json);
    for (size_t i = 0; i < rules_key_count(); i++) {
        const struct rules_key *key = rules_key_at(i);

        text_start(&text, value, sizeof value);
        rules_write_value(&text, rules, key);
        json_put_text(json, key->name, value);
    }
    json_close_map(json);
}

static void put_bot(struct json_writer *json, const struct log_record_bot *bot)
{
    json_open_map(json);
    json_put_text(json, "name", bot->name);
    json_put_text(json, "command", bot->command);
    json_put_text(json, "hash", bot->hash);
    json_put_text(json, "hello", bot->hello);
    json_put_flag(json, "table", bot->options.has_table);
    json_put_flag(json, "events", bot->options.has_events);
    json_put_flag(json, "legal", bot->options.has_legal);
    json_put_flag(json, "reuse", bot->options.has_reuse);
    if (bot->is_kept)
        json_put_number(json, "asked_before", (long long)bot->asked_before);
    json_close_map(json);
}

const char *log_record_header(struct log_record_writer *writer,
                              const struct log_record_header *header, size_t *length)
{
    struct json_writer *json = begin(writer);

    json_put_number(json, "allegra_log", LOG_RECORD_VERSION);
    json_put_text(json, "referee", header->referee);
    json_put_number(json, "protocol", BOT_LINE_VERSION);
    json_put_text(json, "edition",
                  allegra_edition_name((enum allegra_edition)header->rules->edition));
    put_rules(json, header->rules);
    json_put_number(json, "seats", header->seats);
    json_put_number(json, "dealer", header->dealer);
    json_put_text(json, "commitment", header->commitment);
    json_put_flag(json, "guessable", header->is_guessable);
    json_put_text(json, "contain", header->sandbox);
    if (header->enforced != NULL && header->enforced[0] != '\0')
        json_put_text(json, "enforced", header->enforced);
    json_put_text(json, "clock", header->clock);
    if (header->may_ponder)
        json_put_flag(json, "ponder", true);
    json_put_number(json, "start_ms", header->start_ms);
    json_put_number(json, "move_ms", header->move_ms);
    json_put_number(json, "bank_ms", header->bank_ms);
    json_put_number(json, "cores", header->cores);
    json_put_number(json, "autopilot", header->autopilot);
    if (header->branch_of != NULL) {
        json_key(json, "branch");
        json_open_map(json);
        json_put_text(json, "of", header->branch_of);
        json_put_number(json, "at", (long long)header->branch_at);
        json_close_map(json);
    }
    if (header->keeps_bots)
        json_put_flag(json, "keeps_bots", true);
    json_key(json, "bots");
    json_open_list(json);
    for (unsigned seat = 0; seat < header->seats; seat++)
        put_bot(json, &header->bots[seat]);
    json_close_list(json);
    if (header->variant != NULL && header->variant[0] != '\0')
        json_put_text(json, "variant", header->variant);
    if (header->machine != NULL && header->machine[0] != '\0') {
        json_put_text(json, "machine", header->machine);
        json_put_number(json, "speed", header->speed);
        if (header->reference > 0)
            json_put_number(json, "reference", header->reference);
    }
    return end(writer, length);
}

static void put_events(struct log_record_writer *writer, const struct allegra_events *events)
{
    struct text text;

    text_start(&text, writer->events, sizeof writer->events);
    for (unsigned i = 0; i < events->count; i++) {
        text_add(&text, i > 0 ? "; " : "");
        bot_line_write_event(&text, &events->list[i], false);
    }
    json_key(writer->json, "ev");
    json_text_bytes(writer->json, text.buffer, text.length);
}

const char *log_record_start(struct log_record_writer *writer, const struct allegra_events *events,
                             size_t *length)
{
    struct json_writer *json = begin(writer);

    json_put_number(json, "n", 0);
    put_events(writer, events);
    return end(writer, length);
}

static void put_answer_text(struct json_writer *json, struct allegra_answer answer)
{
    char bytes[40];
    struct text text;

    text_start(&text, bytes, sizeof bytes);
    answer_write(&text, answer);
    json_text_bytes(json, bytes, text.length);
}

/* What is known of a time beyond what was charged. */
static void put_measured(struct json_writer *json, const struct log_record_time *time)
{
    if (time->pondered_us > 0)
        json_put_number(json, "pondered_us", time->pondered_us);
    if (!time->is_measured)
        return;
    json_put_number(json, "wall_us", time->wall_us);
    json_put_number(json, "cpu_us", time->cpu_us);
    json_put_number(json, "wait_us", time->wait_us);
    if (time->away_us > 0)
        json_put_number(json, "away_us", time->away_us);
    if (time->stolen_us > 0)
        json_put_number(json, "stolen_us", time->stolen_us);
}

/* What most answers do not have. */
static void put_rest(struct json_writer *json, const struct log_record_answer *answer)
{
    if (answer->is_autopilot || answer->is_given)
        json_put_text(json, "by", answer->is_given ? "log" : "autopilot");
    put_measured(json, &answer->time);
    if (answer->say_count == 0)
        return;
    json_key(json, "say");
    json_open_list(json);
    for (unsigned i = 0; i < answer->say_count; i++)
        json_text(json, answer->says[i]);
    json_close_list(json);
}

static void put_answer(struct json_writer *json, const struct log_record_answer *answer)
{
    json_put_number(json, "seat", answer->seat);
    json_key(json, "do");
    put_answer_text(json, answer->answer);
    json_put_number(json, "us", answer->time.charged_us);
    put_rest(json, answer);
}

/* Bids are half of all answers, so they have the shortest form: [seat, answer, us] and, where there
 * is more to say, a fourth entry with the other fields. */
static void put_bid(struct json_writer *json, const struct log_record_answer *bid)
{
    json_open_list(json);
    json_number(json, bid->seat);
    put_answer_text(json, bid->answer);
    json_number(json, bid->time.charged_us);
    if (bid->is_autopilot || bid->is_given || bid->time.is_measured || bid->time.pondered_us > 0 ||
        bid->say_count > 0) {
        json_open_map(json);
        put_rest(json, bid);
        json_close_map(json);
    }
    json_close_list(json);
}

const char *log_record_decision(struct log_record_writer *writer, unsigned long number,
                                enum allegra_question question,
                                const struct log_record_answer *answers, unsigned count,
                                const struct allegra_events *events, size_t *length)
{
    struct json_writer *json = begin(writer);

    json_put_number(json, "n", (long long)number);
    if (question == ALLEGRA_QUESTION_KNOCK) {
        json_key(json, "bids");
        json_open_list(json);
        for (unsigned i = 0; i < count; i++)
            put_bid(json, &answers[i]);
        json_close_list(json);
    } else {
        put_answer(json, &answers[0]);
        put_events(writer, events);
    }
    return end(writer, length);
}

const char *log_record_fault(struct log_record_writer *writer, unsigned long number,
                             const struct log_record_fault *fault, size_t *length)
{
    struct json_writer *json = begin(writer);

    json_put_number(json, "n", (long long)number);
    json_put_text(json, "fault", fault->code);
    json_put_number(json, "seat", fault->seat);
    json_put_text(json, "ask", fault->is_hello ? "hello" : allegra_question_name(fault->question));
    json_put_number(json, "us", fault->time.charged_us);
    put_measured(json, &fault->time);
    json_put_text(json, "line", fault->line);
    json_put_text(json, "message", fault->message);
    json_put_text(json, "ending", fault->ending);
    json_put_text(json, "stderr", fault->stderr_tail);
    return end(writer, length);
}

static void put_numbers(struct json_writer *json, const char *name, const int32_t *values,
                        unsigned count)
{
    json_key(json, name);
    json_open_list(json);
    for (unsigned i = 0; i < count; i++)
        json_number(json, values[i]);
    json_close_list(json);
}

const char *log_record_result(struct log_record_writer *writer,
                              const struct log_record_result *result, size_t *length)
{
    struct json_writer *json = begin(writer);
    int32_t places[ALLEGRA_SEATS_MAX];

    for (unsigned seat = 0; seat < result->seats; seat++)
        places[seat] = result->places[seat];
    json_put_text(json, "result", "played");
    put_numbers(json, "places", places, result->seats);
    put_numbers(json, "total_halves", result->total_halves, result->seats);
    json_put_number(json, "rounds", result->rounds);
    json_put_number(json, "decisions", (long long)result->decisions);
    json_put_text(json, "seed", result->seed);
    json_key(json, "sent");
    json_open_list(json);
    for (unsigned seat = 0; seat < result->seats; seat++)
        json_text(json, result->sent[seat]);
    json_close_list(json);
    return end(writer, length);
}

const char *log_record_end(struct log_record_writer *writer, const char *hash, size_t *length)
{
    json_put_text(begin(writer), "sha256", hash);
    return end(writer, length);
}
