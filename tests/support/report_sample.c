/* Bots are numbered by skill. Everything else follows from that by simple formulas and a small
 * random number generator, so that a sample looks like a tournament and is always the same. */

#include "support/report_sample.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_LENGTH 64
#define SEATS 4
#define MATCHES 1200
#define EVIDENCE 2

const char *const report_sample_attacks[] = {
    "<script>alert(1)</script>",
    "</script></style></title>",
    "\" onload=\"x\" '",
    "&amp;&lt;",
    "=1+1,\"x\"",
    "+cmd\nline\r\nend",
    "-2+3",
    "@sum",
    "\ttab",
    "\x1b]0;owned\x07\x1b[2J",
    "\xff\xc0\xaf\x80",
    "\xc2\x9bmore",
    "\xe2\x80\xaeright to left",
    "%s%n%.3f%",
    "'; rm -rf ~; '",
    "]]>--><!--",
    "\x7f\x01\xef\xbf\xbf",
    "",
    NULL,
};

static const char *const kind_names[] = {
    [REPORT_SAMPLE_PLAIN] = "plain",
    [REPORT_SAMPLE_HOSTILE] = "hostile",
    [REPORT_SAMPLE_STRANGE] = "strange",
    [REPORT_SAMPLE_EMPTY] = "empty",
};

static const char *const bot_names[] = {"hindsight",     "allegretto", "greedy-2.1", "columnist",
                                        "knock_on_wood", "mcts-400",   "oma",        "random"};

static const char *const facts[REPORT_FACT_COUNT] = {
    [REPORT_FACT_FORMAT] = "round-robin", [REPORT_FACT_SEATS] = "4",
    [REPORT_FACT_DEALS] = "50",           [REPORT_FACT_MOVE] = "1000",
    [REPORT_FACT_SANDBOX] = "sealed",     [REPORT_FACT_RULES] = "de2026 rounds=1",
};

/* A sample and its memory. The report is the first member. */
struct sample {
    struct report report;
    struct standings standings;
    char (*names)[NAME_MAX_LENGTH];
    struct histogram *times;
    struct report_match *worst;
    struct report_match evidence[EVIDENCE];
    uint64_t random;
};

const char *report_sample_name(enum report_sample_kind kind)
{
    return kind_names[kind];
}

/* Uniform, from 0 to 1. */
static double draw(struct sample *sample)
{
    sample->random = sample->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(sample->random >> 40) / (double)(1U << 24);
}

/* About normal, with mean 0 and standard deviation 1. */
static double draw_normal(struct sample *sample)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += draw(sample);
    return sum;
}

static unsigned count_attacks(void)
{
    unsigned count = 0;

    while (report_sample_attacks[count] != NULL)
        count++;
    return count;
}

static const char *attack(unsigned number)
{
    return report_sample_attacks[number % count_attacks()];
}

static const char *name_bot(struct sample *sample, enum report_sample_kind kind, unsigned bot)
{
    char *name = sample->names[bot];

    if (kind == REPORT_SAMPLE_HOSTILE)
        return attack(bot);
    if (kind == REPORT_SAMPLE_STRANGE)
        snprintf(name, NAME_MAX_LENGTH, "a_bot_with_a_name_of_32_lett%04u", bot % 10000);
    else if (bot < sizeof bot_names / sizeof bot_names[0])
        snprintf(name, NAME_MAX_LENGTH, "%s", bot_names[bot]);
    else
        snprintf(name, NAME_MAX_LENGTH, "bot-%u", bot);
    return name;
}

static void fill_distribution(struct sample *sample, struct standing *row)
{
    row->score_least = -10;
    row->score_step = 3;
    for (unsigned i = 0; i < MATCHES; i++) {
        double score = row->score + 7 * draw_normal(sample) + 4 * draw(sample) * draw(sample);
        int bin = (int)floor((score - row->score_least) / row->score_step);

        row->score_bins[bin < 0 ? 0 : bin >= STANDINGS_BINS ? STANDINGS_BINS - 1 : bin]++;
    }
}

static void fill_times(struct sample *sample, struct standing *row)
{
    struct histogram *histogram = &sample->times[row->bot];
    double centre = 2 + 0.9 * (row->bot * 5 % 7);

    for (unsigned i = 0; i < 4000; i++)
        histogram_add(histogram, (int64_t)exp(centre + 2 + 0.7 * draw_normal(sample)));
    row->median_us = histogram_quantile(histogram, 0.5);
    row->p99_us = histogram_quantile(histogram, 0.99);
}

static void fill_ranks(struct standing *row, unsigned place)
{
    row->ranks.best = place > 3 ? place - 3 : 1;
    row->ranks.worst = place + 1;
}

static void fill_seats(struct sample *sample, struct standing *row, double skill)
{
    for (unsigned seat = 0; seat < SEATS; seat++) {
        row->seat_matches[seat] = MATCHES / SEATS;
        row->seat_score[seat] = row->score - 0.6 + 0.4 * seat + 0.2 * draw_normal(sample);
        row->places[seat] = (unsigned)(row->seat_matches[seat] * (1 + skill * (1.5 - seat) / 2));
    }
}

/* `skill` goes from 1 for the best bot to -1. */
static void fill_row(struct sample *sample, struct standing *row, unsigned place, double skill)
{
    double margin = 14 + 6 * draw(sample);

    row->matches = MATCHES;
    row->rounds = MATCHES;
    row->score = 18 - 9 * skill;
    row->score_interval = (struct interval){row->score - 0.42, row->score + 0.4};
    row->win_share = 0.25 + 0.2 * skill;
    row->rating = 310 * skill + 20 * draw(sample) - 10;
    row->rating_interval = (struct interval){row->rating - margin, row->rating + margin * 1.1};
    row->adjusted = row->score + 0.3 * skill;
    row->adjusted_interval = (struct interval){row->adjusted - 0.3, row->adjusted + 0.28};
    row->adjusted_win_share = row->win_share - 0.01 * skill;
    row->peek = (struct peek){.matches = MATCHES,
                              .gain = 0.2 * place - 0.3,
                              .spread = 0.2,
                              .allowed = 1.1,
                              .one_in = place == 3 ? PEEK_ONE_IN_MAX : 1 + place,
                              .is_suspicious = place == 3};
    row->repeat = (struct repeat_gain){
        .blocks = 50, row->score, row->score - 0.1 * place, 1.0 / (1 + 40 * place), place > 2};
    fill_ranks(row, place);
    fill_seats(sample, row, skill);
    fill_distribution(sample, row);
    fill_times(sample, row);
    if (skill < 0) {
        row->faults[BOT_LATE] = 3 * place;
        row->faults[BOT_ILLEGAL] = place % 2;
        row->fault_count = row->faults[BOT_LATE] + row->faults[BOT_ILLEGAL];
    }
}

static void fill_empty(struct standing *row)
{
    row->score = row->win_share = row->rating = NAN;
    row->score_interval = row->rating_interval = (struct interval){NAN, NAN};
    row->adjusted = row->adjusted_win_share = NAN;
    row->adjusted_interval = (struct interval){NAN, NAN};
    row->peek = (struct peek){.gain = NAN, .spread = NAN, .allowed = NAN, .one_in = 1};
    row->repeat = (struct repeat_gain){.first = NAN, .later = NAN, .p = NAN};
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++)
        row->seat_score[seat] = NAN;
}

static void make_strange(struct standings *standings)
{
    unsigned last = standings->count - 1;

    standings->rows[0].is_unbeaten = true;
    standings->rows[0].rating_interval.high = INFINITY;
    standings->rows[last].is_withdrawn = true;
    standings->rows[last].seat_score[1] = NAN;
    if (last > 1) {
        struct standing empty = {.bot = last, .name = standings->rows[last].name};

        standings->rows[last] = empty;
        fill_empty(&standings->rows[last]);
        for (unsigned i = 0; i < standings->count; i++) {
            standings->cross[i * standings->count + last] = NAN;
            standings->cross[last * standings->count + i] = NAN;
            standings->met[i * standings->count + last] = 0;
            standings->met[last * standings->count + i] = 0;
        }
    }
}

static void fill_cross(struct standings *standings)
{
    for (unsigned i = 0; i < standings->count; i++)
        for (unsigned j = 0; j < standings->count; j++) {
            double difference = standings->rows[i].rating - standings->rows[j].rating;
            bool has_met = i != j && !isnan(difference);

            standings->met[i * standings->count + j] = has_met ? 240 : 0;
            standings->cross[i * standings->count + j] =
                has_met ? 1 / (1 + pow(10, -difference / 400)) : NAN;
        }
}

static void fill_worst(struct sample *sample, enum report_sample_kind kind)
{
    unsigned count = sample->standings.count < 6 ? sample->standings.count : 6;

    sample->worst = xcalloc(count, sizeof *sample->worst);
    for (unsigned i = 0; i < count; i++) {
        struct report_match *match = &sample->worst[i];

        *match = (struct report_match){.log = "spring/logs/000317.ndjson", .block = 17 + i};
        match->bot = sample->standings.rows[i].name;
        match->rotation = i;
        match->seats = SEATS;
        for (unsigned seat = 0; seat < SEATS; seat++) {
            match->names[seat] = sample->standings.rows[(i + seat) % sample->standings.count].name;
            match->scores[seat] = seat == 0 ? 61.5 + i : 4.5 + 6 * seat;
            match->places[seat] = (uint8_t)(seat == 0 ? SEATS : seat);
        }
        match->faults[0] = i % 3 == 1 ? "late" : NULL;
        match->faults[1] = i % 3 == 2 ? "illegal" : NULL;
        if (kind == REPORT_SAMPLE_HOSTILE) {
            match->log = attack(i + 9);
            match->faults[0] = attack(i);
        }
    }
    sample->report.worst = sample->worst;
    sample->report.worst_count = count;
}

static void fill_evidence(struct sample *sample)
{
    unsigned count = sample->report.worst_count < EVIDENCE ? sample->report.worst_count : EVIDENCE;

    for (unsigned i = 0; i < count; i++) {
        sample->evidence[i] = sample->worst[i];
        sample->evidence[i].gain = 41.5 - i;
    }
    sample->report.evidence = sample->evidence;
    sample->report.evidence_count = count;
}

static void fill_texts(struct sample *sample, enum report_sample_kind kind)
{
    struct report *report = &sample->report;

    report->title = "Spring Open";
    report->format = "round-robin";
    report->edition = "de2026";
    report->seats = SEATS;
    report->decided = kind == REPORT_SAMPLE_EMPTY ? 0 : MATCHES;
    report->planned = MATCHES;
    memcpy(report->facts, facts, sizeof facts);
    report->has_known_seed = kind != REPORT_SAMPLE_EMPTY;
    if (kind == REPORT_SAMPLE_HOSTILE) {
        report->title = attack(0);
        report->format = attack(9);
        report->edition = attack(1);
        for (unsigned i = 0; i < REPORT_FACT_COUNT; i++)
            report->facts[i] = attack(i);
    }
}

static void fill_standings(struct sample *sample, enum report_sample_kind kind)
{
    struct standings *standings = &sample->standings;

    for (unsigned place = 0; place < standings->count; place++) {
        struct standing *row = &standings->rows[place];

        row->bot = place;
        row->name = name_bot(sample, kind, place);
        if (kind == REPORT_SAMPLE_EMPTY)
            fill_empty(row);
        else
            fill_row(sample, row, place, 1 - 2.0 * place / (standings->count - 1));
    }
    fill_cross(standings);
    if (kind == REPORT_SAMPLE_STRANGE)
        make_strange(standings);
}

struct report *report_sample_new(enum report_sample_kind kind, unsigned bots)
{
    struct sample *sample = xcalloc(1, sizeof *sample);
    struct standings *standings = &sample->standings;

    sample->random = 1;
    sample->names = xcalloc(bots, sizeof *sample->names);
    sample->times = xcalloc(bots, sizeof *sample->times);
    standings->count = bots;
    standings->rows = xcalloc(bots, sizeof *standings->rows);
    standings->cross = xcalloc((size_t)bots * bots, sizeof *standings->cross);
    standings->met = xcalloc((size_t)bots * bots, sizeof *standings->met);
    fill_standings(sample, kind);
    fill_texts(sample, kind);
    if (kind != REPORT_SAMPLE_EMPTY) {
        standings->seats = SEATS;
        standings->is_adjusted = true;
        standings->has_peeks = true;
        standings->has_repeats = true;
        standings->blocks = 50;
        standings->matches = MATCHES;
        sample->report.times = sample->times;
        fill_worst(sample, kind);
        fill_evidence(sample);
    }
    sample->report.standings = standings;
    return &sample->report;
}

void report_sample_free(struct report *report)
{
    struct sample *sample = (struct sample *)report;

    free(sample->standings.rows);
    free(sample->standings.cross);
    free(sample->standings.met);
    free(sample->names);
    free(sample->times);
    free(sample->worst);
    free(sample);
}
