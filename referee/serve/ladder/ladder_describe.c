/* One function per thing and form, as for the ledger (ledger_describe.c). */

#include "serve/ladder/ladder_describe.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define RATING_DIGITS 1
#define LUCK_DIGITS 3

static const char *state_of(const struct ladder_row *row, const struct ledger_bot *bot)
{
    if (bot->is_disqualified)
        return "disqualified";
    if (!row->is_active)
        return "older";
    return row->is_broken ? "broken" : "active";
}

void ladder_describe_json(struct json_writer *json, const struct ladder *ladder)
{
    const struct ladder_file *file = ladder_config(ladder);

    json_put_text(json, "name", file->name);
    json_put_text(json, "state", ladder_state_names[ladder_state(ladder)]);
    json_put_text(json, "edition",
                  allegra_edition_name((enum allegra_edition)file->config.rules.edition));
    json_put_text(json, "variant", file->config.variant);
    json_put_number(json, "seats", file->config.schedule.seats);
    json_put_number(json, "versions", ladder_active_count(ladder));
    json_put_number(json, "matches", (long long)ladder_match_count(ladder));
    json_put_number(json, "enough", file->enough);
    if (file->has_deadline)
        json_put_number(json, "deadline_s", file->deadline_s);
    if (ladder_final(ladder) > 0)
        json_put_number(json, "final", ladder_final(ladder));
}

static void put_points(struct json_writer *json, const struct ladder_rating *rating)
{
    json_put_decimal(json, "rating", rating->points, RATING_DIGITS);
    json_put_decimal(json, "low", rating->low, RATING_DIGITS);
    json_put_decimal(json, "high", rating->high, RATING_DIGITS);
}

static void put_evidence(struct json_writer *json, const struct ladder_luck *luck)
{
    json_key(json, "evidence");
    json_open_list(json);
    for (unsigned i = 0; i < luck->best_count; i++) {
        json_open_map(json);
        json_put_number(json, "job", luck->best[i].job);
        json_put_number(json, "block", luck->best[i].block);
        json_put_number(json, "rotation", luck->best[i].rotation);
        json_put_decimal(json, "gain", luck->best[i].gain, LUCK_DIGITS);
        json_close_map(json);
    }
    json_close_list(json);
}

/* As in the standings of a job, if luck was measured. */
static void put_peek(struct json_writer *json, const struct ladder_luck *luck)
{
    if (luck->matches == 0)
        return;
    json_key(json, "peek");
    json_open_map(json);
    json_put_number(json, "matches", luck->matches);
    json_put_decimal(json, "gain", luck->gain, LUCK_DIGITS);
    json_put_decimal(json, "spread", luck->spread, LUCK_DIGITS);
    json_put_decimal(json, "allowed", luck->allowed, LUCK_DIGITS);
    json_put_number(json, "one_in", (long long)luck->one_in);
    json_put_flag(json, "is_suspicious", luck->is_suspicious);
    put_evidence(json, luck);
    json_close_map(json);
}

static void put_row(struct json_writer *json, const struct ladder_row *row,
                    const struct ledger_bot *bot)
{
    json_put_text(json, "name", bot->name);
    json_put_number(json, "version", bot->version);
    json_put_text(json, "user", bot->user);
    json_put_number(json, "submitted_s", bot->submitted_s);
    json_put_text(json, "state", state_of(row, bot));
    json_put_number(json, "best", row->rating.best);
    json_put_number(json, "worst", row->rating.worst);
    put_points(json, &row->rating);
    json_put_number(json, "deals", row->deals);
    json_put_number(json, "matches", (long long)row->matches);
    json_put_number(json, "wins", (long long)row->wins);
    put_peek(json, &row->luck);
}

void ladder_describe_rows_json(struct json_writer *json, const struct ladder *ladder,
                               const struct ledger *ledger)
{
    unsigned count;
    const struct ladder_row *rows = ladder_rows(ladder, &count);

    json_key(json, "rows");
    json_open_list(json);
    for (unsigned i = 0; i < count; i++) {
        json_open_map(json);
        put_row(json, &rows[i], ledger_bot(ledger, rows[i].place));
        json_close_map(json);
    }
    json_close_list(json);
}

/* The version of a moment, if it is one of that bot and is still there. A ledger that is an older
 * copy may have given its name to another one since. */
static const struct ledger_bot *find_version(const struct ladder_moment *moment,
                                             const struct ledger *ledger, struct span bot)
{
    struct span rest = span_of(moment->rating.version);
    struct span name = span_cut(&rest, '@');
    int place = name.length == bot.length && memcmp(name.start, bot.start, bot.length) == 0
                    ? ledger_find_bot(ledger, moment->rating.version)
                    : -1;
    const struct ledger_bot *found = place >= 0 ? ledger_bot(ledger, (unsigned)place) : NULL;

    return found != NULL && !found->is_removed && found->submitted_s <= moment->time_s ? found
                                                                                       : NULL;
}

static void put_history(struct json_writer *json, const struct ladder *ladder,
                        const struct ledger *ledger, struct span bot)
{
    unsigned count;
    const struct ladder_moment *moments = ladder_moments(ladder, &count);

    json_key(json, "history");
    json_open_list(json);
    for (unsigned i = 0; i < count; i++) {
        const struct ledger_bot *version = find_version(&moments[i], ledger, bot);

        if (version == NULL)
            continue;
        json_open_map(json);
        json_put_number(json, "time_s", moments[i].time_s);
        json_put_number(json, "version", version->version);
        json_put_number(json, "deals", moments[i].deals);
        put_points(json, &moments[i].rating);
        json_close_map(json);
    }
    json_close_list(json);
}

void ladder_describe_bot_json(struct json_writer *json, const struct ladder *ladder,
                              const struct ledger *ledger, struct span bot)
{
    unsigned count;
    const struct ladder_row *rows = ladder_rows(ladder, &count);

    json_key(json, "rows");
    json_open_list(json);
    for (unsigned i = 0; i < count; i++) {
        const struct ledger_bot *version = ledger_bot(ledger, rows[i].place);

        if (!span_is(bot, version->name))
            continue;
        json_open_map(json);
        put_row(json, &rows[i], version);
        json_close_map(json);
    }
    json_close_list(json);
    put_history(json, ladder, ledger, bot);
}

static void add_time(struct text *text, int64_t seconds)
{
    time_t time = (time_t)seconds;
    char when[40] = "";
    struct tm parts;

    if (gmtime_r(&time, &parts) != NULL)
        (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
    text_add(text, when);
}

void ladder_describe_line(struct text *text, const struct ladder *ladder)
{
    const struct ladder_file *file = ladder_config(ladder);

    text_printf(text, "%s %s seats=%u versions=%u matches=%lu deadline=", file->name,
                ladder_state_names[ladder_state(ladder)], file->config.schedule.seats,
                ladder_active_count(ladder), ladder_match_count(ladder));
    if (file->has_deadline)
        add_time(text, file->deadline_s);
    else
        text_add(text, "none");
    text_printf(text, " final=%u", ladder_final(ladder));
}

static void add_decimal(struct text *text, const char *key, double points, unsigned digits)
{
    text_printf(text, " %s=", key);
    if (!text_add_decimal(text, points, digits))
        text_add(text, "-");
}

static void add_ranks(struct text *text, const struct ladder_rating *rating)
{
    if (rating->best == 0)
        text_add(text, "-");
    else if (rating->best == rating->worst)
        text_printf(text, "%u", rating->best);
    else
        text_printf(text, "%u-%u", rating->best, rating->worst);
}

static void add_rating(struct text *text, const struct ladder_rating *rating)
{
    add_decimal(text, "rating", rating->points, RATING_DIGITS);
    add_decimal(text, "low", rating->low, RATING_DIGITS);
    add_decimal(text, "high", rating->high, RATING_DIGITS);
}

/* The evidence is a list of JOB/BLOCK.MATCH. */
static void add_luck(struct text *text, const struct ladder_luck *luck)
{
    if (luck->matches == 0)
        return;
    add_decimal(text, "gain", luck->gain, LUCK_DIGITS);
    add_decimal(text, "allowed", luck->allowed, LUCK_DIGITS);
    text_printf(text, " one_in=%.0f suspicious=%s", luck->one_in,
                luck->is_suspicious ? "yes" : "no");
    for (unsigned i = 0; i < luck->best_count; i++)
        text_printf(text, "%s%u/%u.%u", i == 0 ? " evidence=" : ",", luck->best[i].job,
                    luck->best[i].block, luck->best[i].rotation + 1);
}

bool ladder_describe_moment_line(struct text *text, const struct ladder_moment *moment,
                                 const struct ledger *ledger, struct span bot)
{
    const struct ledger_bot *version = find_version(moment, ledger, bot);

    if (version == NULL)
        return false;
    add_time(text, moment->time_s);
    text_printf(text, " %u ", version->version);
    add_ranks(text, &moment->rating);
    add_rating(text, &moment->rating);
    text_printf(text, " deals=%u", moment->deals);
    return true;
}

void ladder_describe_row_line(struct text *text, const struct ladder_row *row,
                              const struct ledger *ledger)
{
    const struct ledger_bot *bot = ledger_bot(ledger, row->place);

    add_ranks(text, &row->rating);
    text_printf(text, " %s %u %s", bot->name, bot->version, bot->user);
    add_rating(text, &row->rating);
    text_printf(text, " deals=%u matches=%lu wins=%lu state=%s", row->deals, row->matches,
                row->wins, state_of(row, bot));
    add_luck(text, &row->luck);
}
