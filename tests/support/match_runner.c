/* A runner is an event loop with the match hosts in it. */

#include "support/match_runner.h"

#include "base/deal_random.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/message.h"
#include "sandbox/sandbox.h"

#include <event2/event.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

struct match_runner {
    struct sandbox *none; /* for matches without a sandbox of their own */
    struct event_base *base;
    unsigned open;
};

struct running_match {
    struct match_runner *runner;
    struct match_runner_result *result;
    struct match_host *host;
    struct bot_command commands[ALLEGRA_SEATS_MAX];
    char log_path[300];
    bool keeps_log;
    int64_t start_us;
    double start_cpu;
};

static double cpu_seconds(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

struct match_runner *match_runner_new(void)
{
    struct match_runner *runner = xcalloc(1, sizeof *runner);
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    runner->none = sandbox_new(SANDBOX_NONE, &problem);
    if (deal_random_init() != 0)
        fatal("cannot initialise random numbers");
    signal(SIGPIPE, SIG_IGN);
    runner->base = event_base_new();
    return runner;
}

void match_runner_free(struct match_runner *runner)
{
    event_base_free(runner->base);
    sandbox_free(runner->none);
    free(runner);
}

void match_runner_pin(int cpu)
{
    cpu_set_t cpus;

    CPU_ZERO(&cpus);
    for (size_t i = 0; i < CPU_SETSIZE; i++) {
        if (cpu < 0 || i == (size_t)cpu)
            CPU_SET(i, &cpus);
    }
    sched_setaffinity(0, sizeof cpus, &cpus);
}

/* The first event is the deal: all bots have started by then. The last one ends the match. */
static void on_events(void *context, const struct match *match, const struct allegra_events *events)
{
    struct running_match *table = context;

    if (table->start_us == 0) {
        table->start_us = clock_now_us();
        table->start_cpu = cpu_seconds();
    }
    if (events->count > 0 && events->list[events->count - 1].kind == ALLEGRA_EVENT_OVER) {
        table->result->seconds = (double)(clock_now_us() - table->start_us) / 1e6;
        table->result->cpu_seconds = cpu_seconds() - table->start_cpu;
    }
    (void)match;
}

static void on_end(void *context, struct match_host *host)
{
    struct running_match *table = context;
    const struct match *match = match_host_get_match(host);
    struct stat status;

    table->result->answers = match_answers(match);
    table->result->is_void = match_host_void(host) != NULL;
    for (unsigned seat = 0; seat < match_setup_of(match)->seats; seat++)
        table->result->faults[seat] = match_fault(match, seat);
    if (!table->result->is_void) {
        memcpy(table->result->places, match_places(match), sizeof table->result->places);
        memcpy(table->result->total_halves, match_table(match)->total_halves,
               sizeof table->result->total_halves);
    }
    if (table->log_path[0] != '\0' && stat(table->log_path, &status) == 0)
        table->result->log_bytes = (long)status.st_size;
    if (--table->runner->open == 0)
        event_base_loopbreak(table->runner->base);
}

static void read_commands(struct running_match *table, const struct match_runner_setup *setup)
{
    char message[300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    for (unsigned seat = 0; seat < setup->seats; seat++) {
        if (bot_command_read(&table->commands[seat], setup->bots[seat], &problem) != 0)
            fatal("%s", message);
    }
}

static void open_table(struct match_runner *runner, const struct match_runner_setup *setup,
                       unsigned number, struct running_match *table)
{
    struct match_host_setup host = {
        .match = {.rules = setup->rules,
                  .seats = setup->seats,
                  .start_ms = 60000,
                  .move_ms = setup->move_ms,
                  .sandbox = sandbox_level_name(sandbox_level(setup->sandbox))},
        .cpu = -1,
        .sandbox = setup->sandbox != NULL ? setup->sandbox : runner->none,
        .watch = {.on_events = on_events, .context = table},
        .on_end = on_end,
        .context = table,
    };
    char seed[40];

    table->runner = runner;
    table->keeps_log = setup->keeps_logs;
    read_commands(table, setup);
    snprintf(seed, sizeof seed, "bench %u", number);
    deal_random_seed_from_text(host.match.seed, seed);
    for (unsigned seat = 0; seat < setup->seats; seat++) {
        host.commands[seat] = &table->commands[seat];
        host.match.names[seat] = table->commands[seat].name;
        host.match.commands[seat] = table->commands[seat].text;
        host.match.hashes[seat] = table->commands[seat].hash;
    }
    if (setup->folder != NULL)
        snprintf(table->log_path, sizeof table->log_path, "%s/%u.ndjson%s", setup->folder, number,
                 setup->packs_logs ? ".zst" : "");
    host.log_path = setup->folder != NULL ? table->log_path : NULL;
    runner->open++;
    table->host = match_host_start(runner->base, &host);
    if (match_host_void(table->host) != NULL)
        fatal("%s", match_host_void(table->host));
}

static void close_table(struct running_match *table)
{
    match_host_free(table->host);
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++)
        bot_command_free(&table->commands[seat]);
    if (table->log_path[0] != '\0' && !table->keeps_log)
        unlink(table->log_path);
}

void match_runner_play(struct match_runner *runner, const struct match_runner_setup *setup,
                       unsigned count, unsigned first_number, struct match_runner_result *results)
{
    struct running_match *tables = xcalloc(count, sizeof *tables);

    for (unsigned i = 0; i < count; i++) {
        memset(&results[i], 0, sizeof results[i]);
        tables[i].result = &results[i];
        open_table(runner, setup, first_number + i, &tables[i]);
    }
    while (runner->open > 0)
        event_base_dispatch(runner->base);
    for (unsigned i = 0; i < count; i++)
        close_table(&tables[i]);
    free(tables);
}

static long resident_kb(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    long pages = 0;

    if (file == NULL || fscanf(file, "%*s %ld", &pages) != 1)
        fatal("cannot read the resident size");
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

long match_runner_resident_kb(struct match_runner *runner, const struct match_runner_setup *setup,
                              unsigned count)
{
    struct running_match *tables = xcalloc(count + 1, sizeof *tables);
    struct match_runner_result *results = xcalloc(count + 1, sizeof *results);
    unsigned playing = 0;
    long size;

    for (unsigned i = 0; i < count; i++) {
        tables[i].result = &results[i];
        open_table(runner, setup, i, &tables[i]);
    }
    while (playing < count) {
        event_base_loop(runner->base, EVLOOP_ONCE);
        playing = 0;
        for (unsigned i = 0; i < count; i++)
            playing += match_decisions(match_host_get_match(tables[i].host)) >= 20;
    }
    size = resident_kb();
    for (unsigned i = 0; i < count; i++)
        close_table(&tables[i]);
    runner->open = 0;
    free(results);
    free(tables);
    return size;
}
