/* An errand is a work that is being played: the file of its tournament is written down for the process
 * that plays it, and what that process tells is noted and passed on to those who watch. */

#include "base/memory.h"
#include "bot/bot.h"
#include "serve/office_private.h"
#include "tournament/folder.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long a process may take to end that was told to. */
#define PATIENCE_S 10

/* What the process tells. */

static bool read_count(struct span *rest, unsigned long *count)
{
    long number;

    if (span_read_number(span_cut_word(rest), 0, LONG_MAX, &number) != 0)
        return false;
    *count = (unsigned long)number;
    return true;
}

static void take_progress(struct errand *errand, struct span rest)
{
    unsigned long decided;
    unsigned long matches;

    if (read_count(&rest, &decided) && read_count(&rest, &matches))
        ledger_set_progress(errand->office->ledger, errand->number, decided, matches);
}

static void take_block(struct errand *errand, struct span rest)
{
    (void)span_cut_word(&rest);
    take_progress(errand, rest);
}

static struct ledger_score *score_of(struct errand *errand, struct span name)
{
    for (unsigned i = 0; i < errand->plan->bot_count; i++) {
        if (span_is(name, errand->plan->bots[i].name))
            return &errand->scores[i];
    }
    return NULL;
}

static void take_fault(struct ledger_score *score, struct span word)
{
    struct span name = span_cut(&word, '=');
    long count;

    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++) {
        if (span_is(name, bot_outcome_name((enum bot_outcome)i)) &&
            span_read_number(word, 0, LONG_MAX, &count) == 0)
            score->faults[i] = (unsigned long)count;
    }
}

static void take_bot(struct errand *errand, struct span rest)
{
    struct ledger_score *score = score_of(errand, span_cut_word(&rest));
    unsigned long median_us = 0;
    unsigned long p99_us = 0;

    if (score == NULL || !read_count(&rest, &score->matches) || !read_count(&rest, &score->wins) ||
        !read_count(&rest, &median_us) || !read_count(&rest, &p99_us))
        return;
    score->median_us = (int64_t)median_us;
    score->p99_us = (int64_t)p99_us;
    for (struct span word = span_cut_word(&rest); word.length > 0; word = span_cut_word(&rest))
        take_fault(score, word);
    errand->scored++;
}

static void take_end(struct errand *errand, struct span rest)
{
    struct span word = span_cut_word(&rest);

    snprintf(errand->end, sizeof errand->end, "%.*s", (int)word.length, word.start);
}

/* Lines by their first word; who watches gets those that are not only for us. */
static const struct {
    const char *word;
    void (*take)(struct errand *errand, struct span rest);
    bool is_public;
} lines[] = {
    {"begin", take_progress, true}, {"block", take_block, true}, {"match", NULL, true},
    {"standings", NULL, true},      {"note", NULL, true},        {"bot", take_bot, false},
    {"end", take_end, false},
};

static void on_line(void *context, const char *line)
{
    struct errand *errand = context;
    struct span rest = span_of(line);
    struct span word = span_cut_word(&rest);

    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        if (!span_is(word, lines[i].word))
            continue;
        if (lines[i].take != NULL)
            lines[i].take(errand, rest);
        if (lines[i].is_public)
            hub_tell(errand->office->hub, errand->number, "%s", line);
    }
}

static void on_end(void *context, int status)
{
    struct errand *errand = context;

    office_end_errand(errand->office, errand, status);
}

/* The beginning. */

static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    struct denial *denial = context;

    if (denial->code == DENIAL_NONE)
        (void)deny(denial, DENIAL_PLAN, "line %u, column %u: %s", line, column, sentence);
}

static void set_text(char **words, char *value)
{
    free(*words);
    *words = value;
}

/* Paths of ours are put in anew: since the work was given, our folder may have moved. */
static void find_paths(struct errand *errand, const struct work *work)
{
    const struct office *office = errand->office;

    set_text(&errand->plan->output, office_work_path(office, work->number, "store"));
    for (unsigned i = 0; i < errand->plan->bot_count && i < work->bot_count; i++) {
        struct plan_bot *bot = &errand->plan->bots[i];
        const struct ledger_bot *known = ledger_bot(office->ledger, work->bots[i]);

        if (known != NULL && known->is_upload)
            set_text(&bot->folder, folder_join(office->folder, known->folder));
        if (bot->remote != NULL && office->setup.socket != NULL)
            set_text(&bot->remote, xstrdup(office->setup.socket));
    }
}

static int write_plan(const struct plan *plan, const char *path)
{
    struct json_writer *writer = json_writer_new(true);
    FILE *file = fopen(path, "we");
    int result = -1;

    plan_write(plan, writer);
    if (file != NULL) {
        size_t length;
        const char *bytes = json_writer_bytes(writer, &length);

        result = fwrite(bytes, 1, length, file) == length ? 0 : -1;
        if (fclose(file) != 0)
            result = -1;
    }
    json_writer_free(writer);
    return result;
}

static int prepare(struct errand *errand, const struct work *work, const char *path,
                   struct denial *denial)
{
    char *folder;
    int result;

    denial->code = DENIAL_NONE;
    errand->plan = plan_read(work->plan, strlen(work->plan), path, on_problem, denial);
    if (errand->plan == NULL)
        return -1;
    errand->scores = xcalloc(errand->plan->bot_count, sizeof *errand->scores);
    find_paths(errand, work);
    folder = office_work_path(errand->office, work->number, "");
    result = folder_make(folder) == 0 && write_plan(errand->plan, path) == 0 ? 0 : -1;
    free(folder);
    return result == 0 ? 0 : deny(denial, DENIAL_DISK, "%s: %s", path, strerror(errno));
}

static int start_run(struct errand *errand, const char *path, struct denial *denial)
{
    char slots[16];
    char *builds = folder_join(errand->office->folder, "builds");
    const char *argv[] = {errand->office->setup.program,
                          "tournament",
                          "--feed",
                          "--jobs",
                          slots,
                          "--builds",
                          builds,
                          path,
                          NULL};
    char *words = office_work_path(errand->office, errand->number, "words");
    struct run_setup setup = {
        .argv = argv,
        .words_path = words,
        .core = errand->core,
        .on_line = on_line,
        .on_end = on_end,
        .context = errand,
    };

    snprintf(slots, sizeof slots, "%u", errand->slots);
    errand->run = run_start(errand->office->setup.base, &setup);
    if (errand->run == NULL)
        (void)deny(denial, DENIAL_DISK, "no process could be started: %s", strerror(errno));
    free(words);
    free(builds);
    return errand->run != NULL ? 0 : -1;
}

static void on_impatience(evutil_socket_t fd, short what, void *context)
{
    struct errand *errand = context;

    (void)fd;
    (void)what;
    errand_stop(errand, true);
}

struct errand *errand_start(struct office *office, const struct work *work, unsigned slots,
                            int core, struct denial *denial)
{
    struct errand *errand = xcalloc(1, sizeof *errand);
    char *path = office_work_path(office, work->number, "plan.json");
    int result;

    errand->office = office;
    errand->number = work->number;
    errand->is_match = work->is_match;
    errand->slots = slots;
    errand->core = core;
    errand->on_impatience = evtimer_new(office->setup.base, on_impatience, errand);
    result = prepare(errand, work, path, denial) == 0 ? start_run(errand, path, denial) : -1;
    free(path);
    if (result == 0)
        return errand;
    errand_free(errand);
    return NULL;
}

void errand_free(struct errand *errand)
{
    if (errand == NULL)
        return;
    run_free(errand->run);
    if (errand->on_impatience != NULL)
        event_free(errand->on_impatience);
    plan_free(errand->plan);
    free(errand->scores);
    free(errand);
}

/* Once: it finishes its matches. Twice: it stops at once. Three times: it is killed. */
static void stop_more(struct errand *errand)
{
    static void (*const ways[])(struct run * run) = {run_stop, run_hurry, run_kill};

    ways[errand->stops < ARRAY_LEN(ways) ? errand->stops : ARRAY_LEN(ways) - 1](errand->run);
    errand->stops++;
}

void errand_stop(struct errand *errand, bool is_urgent)
{
    struct timeval patience = {.tv_sec = PATIENCE_S};

    stop_more(errand);
    if (!is_urgent)
        return;
    if (errand->stops < 2)
        stop_more(errand);
    (void)event_add(errand->on_impatience, &patience);
}
