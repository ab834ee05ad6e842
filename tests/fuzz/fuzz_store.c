/* Reads any records, with right checksums, as the journal of a store: once as `standings` does,
 * with all reports, and once as a tournament does that resumes it, up to the matches that it would
 * play. Whatever the records say, there is a store or a sentence. */

#include "base/directory_tree.h"
#include "support/journal_seal.h"
#include "support/json_mutate.h"
#include "tournament/play/comparison.h"
#include "tournament/play/progression.h"
#include "tournament/play/resume_check.h"
#include "tournament/report/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TASKS_MAX 200

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    return json_mutate(data, size, most, seed);
}

static const char plan[] = "{\"name\":\"fuzz\",\"bots\":[{\"name\":\"a\",\"command\":\"a\"},"
                           "{\"name\":\"b\",\"command\":\"b\"}],\"seats\":2,\"deals\":2,"
                           "\"seatings\":\"all\"}";

struct fuzz {
    char folder[60];
    char path[100];
    char message[1000];
    struct text problem;
};

/* Whoever refuses says why. */
static void expect_words(const struct fuzz *fuzz)
{
    if (fuzz->problem.length == 0)
        abort();
}

static struct store *open_store(struct fuzz *fuzz, enum journal_mode mode)
{
    struct store *store;

    text_start(&fuzz->problem, fuzz->message, sizeof fuzz->message);
    store = store_open(fuzz->folder, mode, &fuzz->problem);
    if (store == NULL)
        expect_words(fuzz);
    return store;
}

static struct store *open_again(struct fuzz *fuzz)
{
    struct store *store = open_store(fuzz, JOURNAL_WRITE);

    if (store == NULL)
        abort();
    return store;
}

/* As `standings` does. */

static void print_all(const struct summary *summary)
{
    const struct report *report = summary_report(summary);
    FILE *file = fopen("/dev/null", "we");

    if (file == NULL)
        abort();
    report_text(file, report, 100);
    report_json(file, report);
    report_csv(file, report);
    report_csv_cross(file, report);
    report_html(file, report, REPORT_LANGUAGE_ALL);
    summary_csv_matches(file, summary);
    fclose(file);
}

static void show(struct fuzz *fuzz, struct store *store)
{
    struct progression *progression = progression_new(store, &fuzz->problem);
    struct summary *summary;

    if (progression == NULL) {
        expect_words(fuzz);
        return;
    }
    summary = summary_new(progression, store, false);
    print_all(summary);
    summary_free(summary);
    progression_free(progression);
}

/* As a tournament or a comparison does that is resumed. */

static void on_message(void *context, const char *message)
{
    (void)context;
    if (message[0] == '\0')
        abort();
}

static void on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    (void)context;
    (void)line;
    (void)column;
    (void)sentence;
    abort();
}

static void find_tasks(const struct block_source *source, const struct store *store)
{
    unsigned blocks = source->block_count(source->context);
    unsigned count = 0;

    for (unsigned block = 1; block <= blocks && count < TASKS_MAX; block++) {
        unsigned rotations = source->rotations(source->context, block);

        for (unsigned rotation = 0; rotation < rotations; rotation++, count++) {
            struct task task = {.block = block, .rotation = (uint16_t)rotation};

            if ((store_done(store, block) >> rotation & 1) == 0)
                source->fill_task(source->context, block, rotation, &task);
        }
    }
}

static void resume(struct fuzz *fuzz, struct store *store)
{
    struct config *config = config_read(plan, sizeof plan - 1, "/plan.json", on_problem, NULL);
    struct bot_setup bots[2] = {{.name = "a"}, {.name = "b"}};
    struct resume_options options = {.accepts_changes = true, .on_message = on_message};
    struct progression *progression = NULL;

    bots[0].command.text = (char *)"a";
    bots[1].command.text = (char *)"b";
    for (unsigned i = 0; i < 2; i++)
        memset(bots[i].command.hash, 'a', sizeof bots[i].command.hash - 1);
    if (resume_check(store, config, bots, &options) == 0) {
        progression = progression_new(store, &fuzz->problem);
        if (progression == NULL)
            expect_words(fuzz);
    }
    if (progression != NULL) {
        struct block_source source = progression_source(progression, NULL, NULL);

        find_tasks(&source, store);
        if (source.extend(source.context))
            find_tasks(&source, store);
        if (source.block_count(source.context) < TASKS_MAX)
            (void)store_commit(store, source.block_count(source.context));
    }
    progression_free(progression);
    config_free(config);
}

static void compare(struct fuzz *fuzz, struct store *store)
{
    struct comparison_setup setup = {
        .test = {.margin = 0.5, .alpha = 0.05, .least = 2, .most = 100}};
    struct comparison *comparison;

    if (comparison_check(store, 2, &fuzz->problem) != 0) {
        expect_words(fuzz);
        return;
    }
    comparison = comparison_new(store, &setup, NULL, NULL);
    (void)comparison_look(comparison);
    comparison_free(comparison);
}

static void write_file(struct fuzz *fuzz, const char *name, const char *text)
{
    FILE *file;

    snprintf(fuzz->path, sizeof fuzz->path, "%s/%s", fuzz->folder, name);
    file = fopen(fuzz->path, "we");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

static void start(struct fuzz *fuzz, const uint8_t *data, size_t size)
{
    char master[66];

    snprintf(fuzz->folder, sizeof fuzz->folder, "%s/referee-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(fuzz->folder) == NULL)
        abort();
    memset(master, '0', sizeof master);
    master[64] = '\n';
    master[65] = '\0';
    write_file(fuzz, "master", master);
    write_file(fuzz, "referee.lock", "");
    snprintf(fuzz->path, sizeof fuzz->path, "%s/results.ndjson", fuzz->folder);
    journal_seal_write(fuzz->path, data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz;
    struct store *store;

    start(&fuzz, data, size);
    store = open_store(&fuzz, JOURNAL_READ);
    if (store != NULL && !store_is_new(store)) {
        show(&fuzz, store);
        compare(&fuzz, store);
    }
    store_free(store);
    store = open_store(&fuzz, JOURNAL_WRITE);
    if (store != NULL)
        resume(&fuzz, store);
    store_free(store);
    /* What was written can be read again. */
    if (store != NULL)
        store_free(open_again(&fuzz));
    if (directory_tree_remove(fuzz.folder) != 0)
        abort();
    return 0;
}
