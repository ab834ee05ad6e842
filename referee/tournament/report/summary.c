/* A summary collects the results that count, thinking times, settings and the matches worth looking
 * at. It owns all of them; the report borrows them. */

#include "tournament/report/summary.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORST_MAX 12
#define FACTS_MAX 40
#define COLUMNS 100

struct summary {
    const struct progression *progression;
    const struct store *store;
    struct result *results;
    size_t count;
    struct histogram *times;
    const char **names;
    bool *is_withdrawn;
    struct standings *standings;
    struct report_match *worst;
    char *facts[FACTS_MAX + 1];
    unsigned fact_count;
    char **warnings;
    unsigned warning_count;
    char subtitle[300];
    char state[200];
    struct report report;
};

/* The matches worth looking at. */

static void fill_match(const struct summary *summary, const struct result *result,
                       struct report_match *match)
{
    match->log = store_log_path(summary->store, result->block, result->rotation);
    match->block = result->block;
    match->rotation = result->rotation;
    match->seats = result->seats;
    for (unsigned seat = result->seats; seat-- > 0;) {
        match->names[seat] = summary->names[result->bots[seat]];
        match->scores[seat] = (double)result->score_halves[seat] / 2 / result->rounds;
        match->places[seat] = result->places[seat];
        if (result->faults[seat] != BOT_ANSWERED) {
            match->fault = bot_outcome_name((enum bot_outcome)result->faults[seat]);
            match->fault_seat = seat;
        }
    }
}

/* How bad a match was for a bot: worst with a fault of its own, then with the most points. */
static double badness(const struct result *result, unsigned bot)
{
    for (unsigned seat = 0; seat < result->seats; seat++) {
        if (result->bots[seat] == bot)
            return (double)result->score_halves[seat] / 2 / result->rounds +
                   (result->faults[seat] != BOT_ANSWERED ? 1e6 : 0);
    }
    return -1e9;
}

static const struct result *find_worst(const struct summary *summary, unsigned bot)
{
    const struct result *worst = NULL;

    for (size_t i = 0; i < summary->count; i++) {
        const struct result *result = &summary->results[i];

        if (badness(result, bot) > (worst != NULL ? badness(worst, bot) : -1e8))
            worst = result;
    }
    return worst;
}

/* One per bot, in the order of the standings. */
static void find_worst_matches(struct summary *summary)
{
    summary->worst = xcalloc(WORST_MAX, sizeof *summary->worst);
    for (unsigned i = 0; i < summary->standings->count && summary->report.worst_count < WORST_MAX;
         i++) {
        const struct standing *row = &summary->standings->rows[i];
        const struct result *result = find_worst(summary, row->bot);
        struct report_match *match = &summary->worst[summary->report.worst_count];

        if (result == NULL)
            continue;
        fill_match(summary, result, match);
        match->bot = row->name;
        summary->report.worst_count++;
    }
    summary->report.worst = summary->worst;
}

/* The settings. */

static void add_fact(struct summary *summary, const char *label, const char *value)
{
    if (value == NULL || *value == '\0' || summary->fact_count + 2 > FACTS_MAX)
        return;
    summary->facts[summary->fact_count++] = xstrdup(label);
    summary->facts[summary->fact_count++] = xstrdup(value);
}

static void add_facts(struct summary *summary)
{
    static const char *const shown[][2] = {
        {"format", "format"},
        {"against the field", "hero"},
        {"seats at a table", "seats"},
        {"seatings of a deal", "seatings"},
        {"deals", "deals"},
        {"Swiss rounds", "rounds"},
        {"schedule seed", "schedule_seed"},
        {"clock", "clock"},
        {"time to start, ms", "start_ms"},
        {"time per answer, ms", "move_ms"},
        {"extra time, ms", "bank_ms"},
        {"sandbox level", "contain"},
        {"bots kept between matches", "reuse"},
        {"faults until withdrawal", "max_faults"},
        {"rules", "rules"},
    };

    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        const char *value = store_setting(summary->store, shown[i][1]);
        bool is_swiss = progression_setup(summary->progression)->format == SCHEDULE_SWISS;

        if (strcmp(shown[i][1], "rounds") != 0 || is_swiss)
            add_fact(summary, shown[i][0], value);
    }
    add_fact(summary, "referee", REFEREE_VERSION);
    summary->report.facts = (const char *const *)summary->facts;
}

static void add_warning(struct summary *summary, const char *sentence)
{
    summary->warnings[summary->warning_count++] = xstrdup(sentence);
}

static void warn_of_gain(struct summary *summary, const struct standing *row)
{
    char sentence[400];
    struct text text;

    text_start(&text, sentence, sizeof sentence);
    text_add(&text, row->name);
    text_add(&text, " may know the cards of deals that come again: it has ");
    (void)text_add_decimal(&text, row->repeat.first, 2);
    text_add(&text, " points per round in its first match of a deal and ");
    (void)text_add_decimal(&text, row->repeat.later, 2);
    text_add(&text, " in the later ones; play single seatings");
    add_warning(summary, sentence);
}

/* A seed that somebody knows, and bots that play a deal better when it comes again. */
static void add_warnings(struct summary *summary)
{
    summary->warnings = xcalloc(summary->standings->count + 2, sizeof(char *));
    if (store_is_guessable(summary->store))
        add_warning(summary,
                    "somebody chose the seed of the deals: anyone who knows it knows all cards");
    for (unsigned i = 0; i < summary->standings->count; i++) {
        if (summary->standings->rows[i].repeat.is_suspicious)
            warn_of_gain(summary, &summary->standings->rows[i]);
    }
    summary->report.warnings = (const char *const *)summary->warnings;
}

static void describe(struct summary *summary)
{
    unsigned long decided = progression_decided(summary->progression);
    unsigned long all = progression_matches(summary->progression);
    const char *rules = store_setting(summary->store, "rules");
    const char *format = store_setting(summary->store, "format");
    struct span edition = span_of(rules != NULL ? rules : "");

    edition = span_cut(&edition, ' ');
    snprintf(summary->subtitle, sizeof summary->subtitle, "%s, edition %.*s, %u seats, %u blocks",
             format != NULL ? format : "", (int)edition.length, edition.start,
             progression_setup(summary->progression)->seats, summary->standings->blocks);
    if (decided == all)
        snprintf(summary->state, sizeof summary->state, "finished: %lu matches", decided);
    else
        snprintf(summary->state, sizeof summary->state,
                 "not finished: %lu of %lu matches are played; incomplete blocks do not count yet",
                 decided, all);
    summary->report.title = store_name(summary->store);
    summary->report.subtitle = summary->subtitle;
    summary->report.state = summary->state;
}

static void make_standings(struct summary *summary)
{
    unsigned bots = store_bot_count(summary->store);
    struct standings_input input;

    summary->names = xcalloc(bots + 1, sizeof *summary->names);
    summary->is_withdrawn = xcalloc(bots + 1, sizeof *summary->is_withdrawn);
    summary->times = xcalloc(bots + 1, sizeof *summary->times);
    for (unsigned i = 0; i < bots; i++) {
        summary->names[i] = store_bot(summary->store, i)->name;
        summary->is_withdrawn[i] = progression_is_out(summary->progression, i);
        summary->times[i] = *store_times(summary->store, i);
    }
    input = (struct standings_input){
        .results = summary->results,
        .count = summary->count,
        .bots = bots,
        .names = summary->names,
        .is_withdrawn = summary->is_withdrawn,
        .times = summary->times,
        .seed = progression_setup(summary->progression)->seed,
    };
    summary->standings = standings_new(&input);
    summary->report.standings = summary->standings;
    summary->report.times = summary->times;
}

struct summary *summary_new(const struct progression *progression, const struct store *store)
{
    struct summary *summary = xcalloc(1, sizeof *summary);

    summary->progression = progression;
    summary->store = store;
    summary->results = progression_results(progression, &summary->count);
    make_standings(summary);
    find_worst_matches(summary);
    add_facts(summary);
    describe(summary);
    add_warnings(summary);
    return summary;
}

void summary_free(struct summary *summary)
{
    if (summary == NULL)
        return;
    for (unsigned i = 0; i < summary->report.worst_count; i++)
        free((char *)summary->worst[i].log);
    for (unsigned i = 0; i < summary->fact_count; i++)
        free(summary->facts[i]);
    for (unsigned i = 0; i < summary->warning_count; i++)
        free(summary->warnings[i]);
    free((void *)summary->warnings);
    standings_free(summary->standings);
    free(summary->worst);
    free(summary->results);
    free(summary->times);
    free(summary->names);
    free(summary->is_withdrawn);
    free(summary);
}

const struct report *summary_report(const struct summary *summary)
{
    return &summary->report;
}

/* Files. */

static void write_seats(FILE *file, const struct summary *summary, const struct result *result)
{
    for (unsigned seat = 0; seat < summary->standings->seats; seat++) {
        if (seat >= result->seats) {
            fputs(",,,,", file);
            continue;
        }
        fprintf(file, ",%s,%u,%s%ld%s,%s", summary->names[result->bots[seat]], result->places[seat],
                result->score_halves[seat] == -1 ? "-" : "", (long)result->score_halves[seat] / 2,
                result->score_halves[seat] % 2 != 0 ? ".5" : "",
                result->faults[seat] != BOT_ANSWERED
                    ? bot_outcome_name((enum bot_outcome)result->faults[seat])
                    : "");
    }
}

void summary_csv_matches(FILE *file, const struct summary *summary)
{
    fputs("block,match,rounds", file);
    for (unsigned seat = 0; seat < summary->standings->seats; seat++)
        fprintf(file, ",bot_%u,place_%u,points_%u,fault_%u", seat, seat, seat, seat);
    fputs(",log\r\n", file);
    for (size_t i = 0; i < summary->count; i++) {
        const struct result *result = &summary->results[i];

        fprintf(file, "%u,%u,%u", (unsigned)result->block, result->rotation + 1U, result->rounds);
        write_seats(file, summary, result);
        fprintf(file, ",logs/%06u/%02u.ndjson\r\n", (unsigned)result->block, result->rotation + 1U);
    }
}

static void write_text(FILE *file, const struct summary *summary)
{
    report_text(file, &summary->report, COLUMNS);
}

static void write_json(FILE *file, const struct summary *summary)
{
    report_json(file, &summary->report);
}

static void write_csv(FILE *file, const struct summary *summary)
{
    report_csv(file, &summary->report);
}

static void write_cross(FILE *file, const struct summary *summary)
{
    report_csv_cross(file, &summary->report);
}

static void write_html(FILE *file, const struct summary *summary)
{
    report_html(file, &summary->report);
}

static const struct {
    const char *name;
    void (*write)(FILE *file, const struct summary *summary);
} files[] = {
    {"standings.txt", write_text},        {"standings.json", write_json},
    {"standings.csv", write_csv},         {"cross.csv", write_cross},
    {"matches.csv", summary_csv_matches}, {"report.html", write_html},
};

/* Writes a new file and renames it over the old one when it is complete. */
static int write_file(const struct summary *summary, size_t which)
{
    size_t size = strlen(store_folder(summary->store)) + strlen(files[which].name) + 20;
    char *path = xcalloc(size, 1);
    char *new_path = xcalloc(size, 1);
    FILE *file;
    int result = -1;
    int error;

    snprintf(path, size, "%s/%s", store_folder(summary->store), files[which].name);
    snprintf(new_path, size, "%s.new", path);
    file = fopen(new_path, "we");
    if (file != NULL) {
        files[which].write(file, summary);
        result = fflush(file) == 0 && !ferror(file) && fsync(fileno(file)) == 0 ? 0 : -1;
        if (fclose(file) != 0)
            result = -1;
    }
    if (result == 0)
        result = rename(new_path, path);
    if (result != 0) {
        error = errno;
        (void)unlink(new_path);
        errno = error;
    }
    free(path);
    free(new_path);
    return result;
}

int summary_write_files(const struct summary *summary)
{
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        if (write_file(summary, i) != 0)
            return -1;
    }
    return 0;
}
