/* A summary collects the results that count, thinking times, settings and the matches worth looking
 * at. It owns all of them; the report borrows them. */

#include "tournament/report/summary.h"

#include "base/directory.h"
#include "base/file_read.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EVIDENCE_MAX 12
#define EDITION_MAX 64
#define COLUMNS 100

/* A larger file is not one of ours. */
#define FILE_MAX_BYTES ((size_t)1 << 30)

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
    struct report_match *evidence;
    char edition[EDITION_MAX];
    struct report report;
    struct report in_store; /* the same for those who read it in the folder of the store */
    struct report_match *worst_in_store;
    struct report_match *evidence_in_store;
};

/* The matches worth looking at. */

static void fill_match(const struct summary *summary, const struct result *result, unsigned bot,
                       struct report_match *match)
{
    match->bot = summary->names[bot];
    match->log = store_log_path(summary->store, result->block, result->rotation);
    match->block = result->block;
    match->rotation = result->rotation;
    match->seats = result->seats;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        match->names[seat] = summary->names[result->bots[seat]];
        match->scores[seat] = (double)result->score_halves[seat] / 2 / result->rounds;
        match->places[seat] = result->places[seat];
        if (result->faults[seat] != BOT_ANSWERED)
            match->faults[seat] = bot_outcome_name((enum bot_outcome)result->faults[seat]);
        if (result->bots[seat] == bot)
            match->seat = seat;
    }
}

/* Whether its log is still there. */
static bool has_log(const struct summary *summary, unsigned block, unsigned rotation)
{
    return (store_pruned(summary->store, block) >> rotation & 1) == 0;
}

/* How bad a match was for a seat: worst with a fault of its own, then with the most points. */
static double badness(const struct result *result, unsigned seat)
{
    return (double)result->score_halves[seat] / 2 / result->rounds +
           (result->faults[seat] != BOT_ANSWERED ? 1e6 : 0);
}

/* One per bot that can be replayed, in the order of the standings. */
static void find_worst_matches(struct summary *summary)
{
    const struct standings *standings = summary->standings;
    unsigned bots = store_bot_count(summary->store);
    const struct result **worst = xcalloc(bots + 1, sizeof *worst);
    double *how_bad = xcalloc(bots + 1, sizeof *how_bad);

    for (size_t i = 0; i < summary->count; i++) {
        const struct result *result = &summary->results[i];

        if (!has_log(summary, result->block, result->rotation))
            continue;
        for (unsigned seat = 0; seat < result->seats; seat++) {
            unsigned bot = result->bots[seat];
            double bad = badness(result, seat);

            if (worst[bot] == NULL || bad > how_bad[bot]) {
                worst[bot] = result;
                how_bad[bot] = bad;
            }
        }
    }
    summary->worst = xcalloc(standings->count + 1, sizeof *summary->worst);
    for (unsigned i = 0; i < standings->count; i++) {
        unsigned bot = standings->rows[i].bot;

        if (worst[bot] != NULL)
            fill_match(summary, worst[bot], bot, &summary->worst[summary->report.worst_count++]);
    }
    summary->report.worst = summary->worst;
    free(worst);
    free(how_bad);
}

static const struct result *find_match(const struct summary *summary,
                                       const struct peek_match *match)
{
    size_t i = 0;

    while (summary->results[i].block != match->block ||
           summary->results[i].rotation != match->rotation)
        i++;
    return &summary->results[i];
}

/* The matches that speak most against bots which may know the cards. */
static void find_evidence(struct summary *summary)
{
    struct report *report = &summary->report;

    summary->evidence = xcalloc(EVIDENCE_MAX, sizeof *summary->evidence);
    report->evidence = summary->evidence;
    for (unsigned i = 0; i < summary->standings->count; i++) {
        const struct standing *row = &summary->standings->rows[i];
        const struct peek *peek = &row->peek;

        for (unsigned j = 0; peek->is_suspicious && j < peek->best_count; j++) {
            struct report_match *match = &summary->evidence[report->evidence_count];

            if (report->evidence_count == EVIDENCE_MAX)
                return;
            if (!has_log(summary, peek->best[j].block, peek->best[j].rotation))
                continue;
            fill_match(summary, find_match(summary, &peek->best[j]), row->bot, match);
            match->gain = peek->best[j].gain;
            report->evidence_count++;
        }
    }
}

/* The settings. */

static void add_facts(struct summary *summary)
{
    static const char *const keys[REPORT_FACT_COUNT] = {
        [REPORT_FACT_FORMAT] = "format",
        [REPORT_FACT_HERO] = "hero",
        [REPORT_FACT_SEATS] = "seats",
        [REPORT_FACT_SEATINGS] = "seatings",
        [REPORT_FACT_DEALS] = "deals",
        [REPORT_FACT_ROUNDS] = "rounds",
        [REPORT_FACT_SCHEDULE_SEED] = "schedule_seed",
        [REPORT_FACT_CLOCK] = "clock",
        [REPORT_FACT_START] = "start_ms",
        [REPORT_FACT_MOVE] = "move_ms",
        [REPORT_FACT_BANK] = "bank_ms",
        [REPORT_FACT_SANDBOX] = "contain",
        [REPORT_FACT_REUSE] = "reuse",
        [REPORT_FACT_FAULTS] = "max_faults",
        [REPORT_FACT_VARIANT] = "variant",
        [REPORT_FACT_RULES] = "rules",
    };
    bool is_swiss = progression_setup(summary->progression)->format == SCHEDULE_SWISS;

    for (unsigned fact = 0; fact < REPORT_FACT_COUNT; fact++) {
        const char *value =
            keys[fact] != NULL ? store_setting(summary->store, keys[fact]) : REFEREE_VERSION;
        bool is_shown = value != NULL && *value != '\0' && (fact != REPORT_FACT_ROUNDS || is_swiss);

        summary->report.facts[fact] = is_shown ? value : NULL;
    }
}

static void describe(struct summary *summary)
{
    struct report *report = &summary->report;
    const char *rules = store_setting(summary->store, "rules");
    const char *format = store_setting(summary->store, "format");
    const char *variant = store_setting(summary->store, "variant");
    struct span edition = span_of(rules != NULL ? rules : "");
    struct text text;

    edition = span_cut(&edition, ' ');
    text_start(&text, summary->edition, sizeof summary->edition);
    text_add_bytes(&text, edition.start, edition.length);
    if (variant != NULL && variant[0] != '\0')
        text_printf(&text, " (%s)", variant);
    report->title = store_name(summary->store);
    report->format = format != NULL ? format : "";
    report->edition = summary->edition;
    report->seats = progression_setup(summary->progression)->seats;
    report->decided = progression_decided(summary->progression);
    report->planned = progression_matches(summary->progression);
    report->has_known_seed = store_is_guessable(summary->store);
}

static void make_standings(struct summary *summary, bool ignores_luck)
{
    const struct schedule_setup *setup = progression_setup(summary->progression);
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
        .seed = setup->seed,
        .ignores_luck = ignores_luck,
        .swiss = setup->format == SCHEDULE_SWISS ? setup : NULL,
    };
    summary->standings = standings_new(&input);
    summary->report.standings = summary->standings;
    summary->report.times = summary->times;
}

/* The same matches, with the paths of their logs from the folder of the store. */
static struct report_match *from_store(const struct summary *summary,
                                       const struct report_match *matches, unsigned count)
{
    size_t length = strlen(store_folder(summary->store)) + 1;
    struct report_match *copies = xcalloc(count + 1, sizeof *copies);

    for (unsigned i = 0; i < count; i++) {
        copies[i] = matches[i];
        copies[i].log += length;
    }
    return copies;
}

static void make_report_in_store(struct summary *summary)
{
    const struct report *report = &summary->report;

    summary->worst_in_store = from_store(summary, report->worst, report->worst_count);
    summary->evidence_in_store = from_store(summary, report->evidence, report->evidence_count);
    summary->in_store = *report;
    summary->in_store.worst = summary->worst_in_store;
    summary->in_store.evidence = summary->evidence_in_store;
    summary->in_store.is_in_store = true;
}

struct summary *summary_new(const struct progression *progression, const struct store *store,
                            bool ignores_luck)
{
    struct summary *summary = xcalloc(1, sizeof *summary);

    summary->progression = progression;
    summary->store = store;
    summary->results = progression_results(progression, &summary->count);
    make_standings(summary, ignores_luck);
    find_worst_matches(summary);
    find_evidence(summary);
    add_facts(summary);
    describe(summary);
    make_report_in_store(summary);
    return summary;
}

void summary_free(struct summary *summary)
{
    if (summary == NULL)
        return;
    for (unsigned i = 0; i < summary->report.worst_count; i++)
        free((char *)summary->worst[i].log);
    for (unsigned i = 0; i < summary->report.evidence_count; i++)
        free((char *)summary->evidence[i].log);
    free(summary->evidence);
    free(summary->evidence_in_store);
    free(summary->worst_in_store);
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
        if (has_log(summary, result->block, result->rotation))
            fprintf(file, ",logs/%06u/%02u.ndjson.zst\r\n", (unsigned)result->block,
                    result->rotation + 1U);
        else
            fputs(",\r\n", file);
    }
}

static void write_text(FILE *file, const struct summary *summary)
{
    report_text(file, &summary->in_store, COLUMNS);
}

static void write_json(FILE *file, const struct summary *summary)
{
    report_json(file, &summary->in_store);
}

static void write_csv(FILE *file, const struct summary *summary)
{
    report_csv(file, &summary->in_store);
}

static void write_cross(FILE *file, const struct summary *summary)
{
    report_csv_cross(file, &summary->in_store);
}

static void write_html(FILE *file, const struct summary *summary)
{
    report_html(file, &summary->in_store, REPORT_LANGUAGE_ALL);
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

/* A file that is not there says nothing wrong; anything else in its place does. */
static bool is_same_file(const struct summary *summary, size_t which)
{
    char *path = directory_join(store_folder(summary->store), files[which].name);
    struct file_read written;
    bool is_there = file_read(&written, path, FILE_MAX_BYTES) == 0;
    bool is_same = !is_there && errno == ENOENT;
    char *wanted = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&wanted, &size);

    if (file != NULL) {
        files[which].write(file, summary);
        fclose(file);
    }
    if (is_there && wanted != NULL) {
        is_same = written.length == size && memcmp(written.bytes, wanted, size) == 0;
    }
    free(path);
    free(written.bytes);
    free(wanted);
    return is_same;
}

void summary_compare_files(const struct summary *summary,
                           void (*on_different)(void *context, const char *name), void *context)
{
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        if (!is_same_file(summary, i))
            on_different(context, files[i].name);
    }
}

void summary_find_files(const char *folder, void (*on_found)(void *context, const char *name),
                        void *context)
{
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        char *path = directory_join(folder, files[i].name);
        struct stat status;

        if (lstat(path, &status) == 0)
            on_found(context, files[i].name);
        free(path);
    }
}
