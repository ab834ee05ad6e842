/* The document is made in memory and written at once. Its fields are in the order of report.h. */

#include "tournament/report/report_private.h"

#include "wire/json_write.h"

#include <math.h>
#include <stdlib.h>

static void add_text(struct json_writer *json, const char *key, const char *text)
{
    json_key(json, key);
    if (text != NULL)
        json_text(json, text);
    else
        json_null(json);
}

static void open_map(struct json_writer *json, const char *key)
{
    json_key(json, key);
    json_open_map(json);
}

static void open_list(struct json_writer *json, const char *key)
{
    json_key(json, key);
    json_open_list(json);
}

/* A text that is made for it. */
static void add_made(struct json_writer *json, const char *key, char *text)
{
    add_text(json, key, text);
    free(text);
}

static void add_facts(struct json_writer *json, const struct report *report)
{
    open_list(json, "facts");
    for (unsigned fact = 0; fact < REPORT_FACT_COUNT; fact++) {
        if (report->facts[fact] == NULL)
            continue;
        json_open_map(json);
        add_text(json, "label", report_texts_find(REPORT_ENGLISH, REPORT_TEXT_FACT + fact));
        add_text(json, "value", report->facts[fact]);
        json_close_map(json);
    }
    json_close_list(json);
}

static void add_head(struct json_writer *json, const struct report *report)
{
    char *warning;

    add_text(json, "format", "allegra standings");
    json_put_number(json, "version", 1);
    add_text(json, "title", report->title);
    add_made(json, "subtitle", report_subtitle(report, REPORT_ENGLISH));
    add_made(json, "state", report_state(report, REPORT_ENGLISH));
    add_facts(json, report);
    open_list(json, "warnings");
    for (unsigned i = 0; (warning = report_warning(report, i, REPORT_ENGLISH)) != NULL; i++) {
        json_text(json, warning);
        free(warning);
    }
    json_close_list(json);
}

/* 0 is unknown. */
static void add_rank(struct json_writer *json, const char *key, unsigned rank)
{
    json_put_decimal(json, key, rank > 0 ? (double)rank : (double)NAN, 0);
}

static void add_rating(struct json_writer *json, const struct standing *row)
{
    open_map(json, "rating");
    json_put_decimal(json, "value", row->rating, 1);
    json_put_decimal(json, "low", row->rating_interval.low, 1);
    json_put_decimal(json, "high", row->rating_interval.high, 1);
    json_put_flag(json, "is_unbeaten", row->is_unbeaten);
    json_close_map(json);
    open_map(json, "ranks");
    add_rank(json, "best", row->ranks.best);
    add_rank(json, "worst", row->ranks.worst);
    json_close_map(json);
}

static void add_score(struct json_writer *json, const struct standing *row)
{
    open_map(json, "score");
    json_put_decimal(json, "mean", row->score, 3);
    json_put_decimal(json, "low", row->score_interval.low, 3);
    json_put_decimal(json, "high", row->score_interval.high, 3);
    json_close_map(json);
    json_put_decimal(json, "win_share", row->win_share, 4);
}

static void add_seats(struct json_writer *json, const struct standing *row, unsigned seats)
{
    open_list(json, "places");
    for (unsigned place = 0; place < seats; place++)
        json_number(json, row->places[place]);
    json_close_list(json);
    open_list(json, "seats");
    for (unsigned seat = 0; seat < seats; seat++) {
        json_open_map(json);
        json_put_number(json, "matches", row->seat_matches[seat]);
        json_put_decimal(json, "score", row->seat_score[seat], 3);
        json_close_map(json);
    }
    json_close_list(json);
}

static void add_adjusted(struct json_writer *json, const struct standing *row)
{
    open_map(json, "adjusted");
    json_put_decimal(json, "mean", row->adjusted, 3);
    json_put_decimal(json, "low", row->adjusted_interval.low, 3);
    json_put_decimal(json, "high", row->adjusted_interval.high, 3);
    json_put_decimal(json, "win_share", row->adjusted_win_share, 4);
    json_close_map(json);
}

static void add_peek(struct json_writer *json, const struct peek *peek)
{
    open_map(json, "peek");
    json_put_number(json, "matches", peek->matches);
    json_put_decimal(json, "gain", peek->gain, 3);
    json_put_decimal(json, "spread", peek->spread, 3);
    json_put_decimal(json, "allowed", peek->allowed, 3);
    json_put_number(json, "one_in", (long long)peek->one_in);
    json_put_flag(json, "is_suspicious", peek->is_suspicious);
    json_close_map(json);
}

static void add_repeat(struct json_writer *json, const struct repeat_gain *repeat)
{
    open_map(json, "repeat");
    json_put_number(json, "blocks", repeat->blocks);
    json_put_decimal(json, "first", repeat->first, 3);
    json_put_decimal(json, "later", repeat->later, 3);
    json_put_decimal(json, "p", repeat->p, 6);
    json_put_flag(json, "is_suspicious", repeat->is_suspicious);
    json_close_map(json);
}

static void add_faults(struct json_writer *json, const struct standing *row)
{
    open_map(json, "faults");
    json_put_number(json, "total", row->fault_count);
    for (unsigned cause = BOT_ANSWERED + 1; cause < BOT_OUTCOME_COUNT; cause++)
        json_put_number(json, bot_outcome_name((enum bot_outcome)cause), row->faults[cause]);
    json_close_map(json);
}

static void add_distribution(struct json_writer *json, const struct standing *row)
{
    open_map(json, "distribution");
    json_put_decimal(json, "least", row->score_least, 3);
    json_put_decimal(json, "step", row->score_step, 3);
    open_list(json, "counts");
    for (unsigned bin = 0; bin < STANDINGS_BINS; bin++)
        json_number(json, row->score_bins[bin]);
    json_close_list(json);
    json_close_map(json);
}

static void add_boxes(struct json_writer *json, const struct histogram *times)
{
    for (unsigned box = 0; times != NULL && box < HISTOGRAM_BOXES; box++) {
        if (times->counts[box] == 0)
            continue;
        json_open_list(json);
        json_number(json, histogram_middle(box));
        json_number(json, times->counts[box]);
        json_close_list(json);
    }
}

static void add_time(struct json_writer *json, const struct report *report,
                     const struct standing *row)
{
    open_map(json, "time");
    if (row->matches > 0) {
        json_put_number(json, "median_us", row->median_us);
        json_put_number(json, "p99_us", row->p99_us);
    } else {
        add_text(json, "median_us", NULL);
        add_text(json, "p99_us", NULL);
    }
    open_list(json, "boxes");
    add_boxes(json, report_times(report, row));
    json_close_list(json);
    json_close_map(json);
}

static void add_bot(struct json_writer *json, const struct report *report, unsigned place)
{
    const struct standing *row = &report->standings->rows[place - 1];

    json_open_map(json);
    json_put_number(json, "place", place);
    json_put_number(json, "bot", row->bot);
    add_text(json, "name", row->name);
    json_put_flag(json, "is_withdrawn", row->is_withdrawn);
    json_put_number(json, "matches", row->matches);
    json_put_number(json, "rounds", row->rounds);
    add_rating(json, row);
    add_score(json, row);
    add_adjusted(json, row);
    add_seats(json, row, report->standings->seats);
    add_peek(json, &row->peek);
    add_repeat(json, &row->repeat);
    add_faults(json, row);
    add_distribution(json, row);
    add_time(json, report, row);
    json_close_map(json);
}

static void add_cross(struct json_writer *json, const struct standings *standings)
{
    open_list(json, "cross");
    for (unsigned row = 0; row < standings->count; row++) {
        json_open_list(json);
        for (unsigned column = 0; column < standings->count; column++)
            json_decimal(json, standings->cross[(size_t)row * standings->count + column], 4);
        json_close_list(json);
    }
    json_close_list(json);
    open_list(json, "met");
    for (unsigned row = 0; row < standings->count; row++) {
        json_open_list(json);
        for (unsigned column = 0; column < standings->count; column++)
            json_number(json, standings->met[(size_t)row * standings->count + column]);
        json_close_list(json);
    }
    json_close_list(json);
}

static void add_match(struct json_writer *json, const struct report_match *match)
{
    char *command = report_command(match);

    json_open_map(json);
    add_text(json, "bot", match->bot);
    json_put_number(json, "seat", match->seat);
    add_text(json, "log", match->log);
    add_text(json, "command", command);
    json_put_number(json, "block", match->block);
    json_put_number(json, "rotation", match->rotation);
    if (match->gain > 0)
        json_put_decimal(json, "gain", match->gain, 3);
    open_list(json, "seats");
    for (unsigned seat = 0; seat < match->seats; seat++) {
        json_open_map(json);
        add_text(json, "name", match->names[seat]);
        json_put_decimal(json, "score", match->scores[seat], 3);
        json_put_number(json, "place", match->places[seat]);
        add_text(json, "fault", match->faults[seat]);
        json_close_map(json);
    }
    json_close_list(json);
    json_close_map(json);
    free(command);
}

static void add_all(struct json_writer *json, const struct report *report)
{
    const struct standings *standings = report->standings;

    json_open_map(json);
    add_head(json, report);
    json_put_number(json, "blocks", standings->blocks);
    json_put_number(json, "matches", (long long)standings->matches);
    json_put_number(json, "seats", standings->seats);
    open_list(json, "bots");
    for (unsigned row = 0; row < standings->count; row++)
        add_bot(json, report, row + 1);
    json_close_list(json);
    add_cross(json, standings);
    open_list(json, "worst");
    for (unsigned i = 0; i < report->worst_count; i++)
        add_match(json, &report->worst[i]);
    json_close_list(json);
    open_list(json, "evidence");
    for (unsigned i = 0; i < report->evidence_count; i++)
        add_match(json, &report->evidence[i]);
    json_close_list(json);
    json_close_map(json);
}

void report_json(FILE *file, const struct report *report)
{
    struct json_writer *json = json_writer_new(true);
    const char *bytes;
    size_t length = 0;

    add_all(json, report);
    bytes = json_writer_bytes(json, &length);
    fwrite(bytes, 1, length, file);
    json_writer_free(json);
}
