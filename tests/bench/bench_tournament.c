/* Measures tournaments of the real program with instant bots, compared with the limit that pipes
 * allow, in the same run. Then the cost of a match apart from its answers, memory, and the time to
 * resume. */

#include "base/deal_random.h"
#include "base/clock.h"
#include "support/bot_driver.h"
#include "support/bench_output.h"
#include "support/pipe_benchmark.h"
#include "tournament/play/progression.h"
#include "base/directory_tree.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_BYTES (PATH_MAX + 100)
#define SHORT_MATCHES 300
#define START_TRIALS 100

struct bench {
    char referee[PATH_BYTES];
    char bot[PATH_BYTES];
    char folder[PATH_BYTES];
};

/* One tournament. */
struct run {
    unsigned seats;
    unsigned deals;
    unsigned turn_limit;
    unsigned workers;
    bool keeps_bots;
    bool measures_luck;
};

/* Its result. */
struct outcome {
    double seconds;
    double answers;
    double matches;
    double rss_mb; /* of the largest process */
};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void write_config(const struct bench *bench, const struct run *run, const char *path)
{
    FILE *file = fopen(path, "we");

    if (file == NULL)
        die(path);
    fprintf(file, "{\"output\": \"%s/store\", \"edition\": \"en2020\", \"contain\": \"none\",\n",
            bench->folder);
    fprintf(file, "\"rules\": {\"rounds\": 1, \"turn_limit\": %u},\n", run->turn_limit);
    fprintf(file, "\"seats\": %u, \"deals\": %u, \"seatings\": \"rotations\", \"reuse\": %s,\n",
            run->seats, run->deals, run->keeps_bots ? "true" : "false");
    fprintf(file, "\"luck\": %s,\n", run->measures_luck ? "true" : "false");
    fprintf(file, "\"start_ms\": 60000, \"move_ms\": 60000, \"bots\": [");
    for (unsigned i = 0; i < run->seats; i++)
        fprintf(file, "%s{\"name\": \"bot-%u\", \"command\": \"%s\"}", i > 0 ? ", " : "", i,
                bench->bot);
    fprintf(file, "]}\n");
    if (fclose(file) != 0)
        die(path);
}

static _Noreturn void become_referee(const struct bench *bench, const char *config,
                                     unsigned workers)
{
    char number[20];
    int null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

    snprintf(number, sizeof number, "%u", workers);
    dup2(null_fd, STDOUT_FILENO);
    execl(bench->referee, "referee", "tournament", "--fresh", "--quiet", "--json", "--workers",
          number, config, (char *)NULL);
    _exit(127);
}

/* Counts matches and answers: each answer is in the histogram of its bot. */
static void count_answers(const struct bench *bench, struct outcome *outcome)
{
    char path[PATH_BYTES + 20];
    char message[300];
    struct text problem;
    struct store *store;
    size_t matches;

    text_start(&problem, message, sizeof message);
    snprintf(path, sizeof path, "%s/store", bench->folder);
    store = store_open(path, JOURNAL_READ, &problem);
    if (store == NULL) {
        fprintf(stderr, "%s\n", message);
        exit(1);
    }
    store_results(store, &matches);
    outcome->matches = (double)matches;
    for (unsigned i = 0; i < store_bot_count(store); i++)
        outcome->answers += (double)store_times(store, i)->total;
    store_free(store);
}

static struct outcome play(const struct bench *bench, const struct run *run)
{
    struct outcome outcome = {0};
    char config[PATH_BYTES + 20];
    struct rusage usage;
    int64_t start_us;
    int status = -1;
    pid_t pid;

    snprintf(config, sizeof config, "%s/config.json", bench->folder);
    write_config(bench, run, config);
    start_us = clock_now_us();
    pid = fork();
    if (pid == 0)
        become_referee(bench, config, run->workers);
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status != 0) {
        fprintf(stderr, "bench tournament: the referee exited with status %d\n", status);
        exit(1);
    }
    outcome.seconds = (double)(clock_now_us() - start_us) / 1e6;
    outcome.rss_mb = (double)usage.ru_maxrss / 1024;
    count_answers(bench, &outcome);
    return outcome;
}

static double limit_per_s(void)
{
    struct pipe_benchmark limit;
    cpu_set_t before;
    double speed;

    sched_getaffinity(0, sizeof before, &before);
    if (pipe_benchmark_start(&limit, 0) != 0)
        die("bench tournament");
    speed = pipe_benchmark_measure(&limit, 500000);
    pipe_benchmark_stop(&limit);
    sched_setaffinity(0, sizeof before, &before);
    return speed;
}

static void bench_speed(const struct bench *bench)
{
    static const unsigned workers[] = {1, 2, 4, 8};
    char name[80];

    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        struct run run = {4, 120, 60, workers[i], true, false};
        double limit = limit_per_s();
        struct outcome kept = play(bench, &run);
        struct outcome fresh;

        run.keeps_bots = false;
        fresh = play(bench, &run);
        snprintf(name, sizeof name, "tournament.answers_per_s_workers%u", workers[i]);
        bench_output_print(name, kept.answers / kept.seconds, "/s");
        snprintf(name, sizeof name, "tournament.ratio_workers%u", workers[i]);
        bench_output_print(name, kept.answers / kept.seconds / limit,
                           "times_the_limit_of_one_core");
        snprintf(name, sizeof name, "tournament.answers_per_s_fresh_workers%u", workers[i]);
        bench_output_print(name, fresh.answers / fresh.seconds, "/s");
    }
}

/* Measures the cost of a match without the start of its bots. It has hardly any answers. */
static void bench_overhead(const struct bench *bench)
{
    struct run run = {2, SHORT_MATCHES / 2, 1, 1, false, false};
    struct outcome outcome = play(bench, &run);
    int64_t start_us = clock_now_us();
    double start_ms;

    for (unsigned i = 0; i < START_TRIALS; i++) {
        struct bot_driver driver;

        driver_init(&driver);
        driver_start(&driver, bench->bot, NULL);
        driver_hello(&driver, DRIVER_ENOUGH_MS);
        driver_leave(&driver, DRIVER_ENOUGH_MS);
        driver_free(&driver);
    }
    start_ms = (double)(clock_now_us() - start_us) / 1e3 / START_TRIALS;
    bench_output_print("tournament.ms_per_match", 1e3 * outcome.seconds / outcome.matches, "ms");
    bench_output_print("tournament.overhead_ms_per_match",
                       1e3 * outcome.seconds / outcome.matches - 2 * start_ms, "ms");
}

static void print_resume(const struct bench *bench)
{
    char path[PATH_BYTES + 20];
    char message[300];
    struct text problem;
    int64_t start_us = clock_now_us();
    struct store *store;
    struct progression *progression;

    text_start(&problem, message, sizeof message);
    snprintf(path, sizeof path, "%s/store", bench->folder);
    store = store_open(path, JOURNAL_WRITE, &problem);
    progression = store != NULL ? progression_new(store, &problem) : NULL;
    if (progression == NULL ||
        progression_decided(progression) != progression_matches(progression)) {
        fprintf(stderr, "bench tournament: %s\n", message);
        exit(1);
    }
    bench_output_print("tournament.resume_ms", (double)(clock_now_us() - start_us) / 1e3, "ms");
    progression_free(progression);
    store_free(store);
}

static void bench_memory(const struct bench *bench)
{
    struct run run = {2, 500, 1, 2, true, false};
    struct outcome outcome = play(bench, &run);

    bench_output_print("tournament.rss_mb_1000", outcome.rss_mb, "MB");
    run.deals = 5000;
    outcome = play(bench, &run);
    bench_output_print("tournament.rss_mb_10000", outcome.rss_mb, "MB");
    bench_output_print("tournament.matches_per_s", outcome.matches / outcome.seconds, "/s");
    print_resume(bench);
}

/* What it costs to measure luck, with four `greedy` and with bots that need no time at all. */
static void bench_luck(struct bench *bench, const char *folder)
{
    static const char *const names[] = {"tournament.times_as_long_with_luck_instant",
                                        "tournament.times_as_long_with_luck_greedy"};

    for (unsigned i = 0; i < 2; i++) {
        struct run run = {4, 60, 60, 1, true, false};
        double plain = play(bench, &run).seconds;

        run.measures_luck = true;
        bench_output_print(names[i], play(bench, &run).seconds / plain, "times");
        snprintf(bench->bot, sizeof bench->bot, "%s/../bots/greedy", folder);
    }
}

int main(int argc, char **argv)
{
    struct bench bench;
    char own_folder[300];
    char folder[PATH_MAX];

    bench_output_init(argc, argv);
    if (!bench_output_is_wanted("tournament"))
        return 0;
    if (!bench_output_folder(argv, own_folder, sizeof own_folder) ||
        realpath(own_folder, folder) == NULL || deal_random_init() != 0)
        return 1;
    snprintf(bench.referee, sizeof bench.referee, "%s/../referee", folder);
    snprintf(bench.bot, sizeof bench.bot, "%s/first_bot", folder);
    snprintf(bench.folder, sizeof bench.folder, "%s/tournament-XXXXXX", folder);
    if (mkdtemp(bench.folder) == NULL)
        die(bench.folder);
    if (bench_output_is_wanted("tournament.answers") || bench_output_is_wanted("tournament.ratio"))
        bench_speed(&bench);
    if (bench_output_is_wanted("tournament.overhead") || bench_output_is_wanted("tournament.ms"))
        bench_overhead(&bench);
    if (bench_output_is_wanted("tournament.rss") || bench_output_is_wanted("tournament.resume") ||
        bench_output_is_wanted("tournament.matches"))
        bench_memory(&bench);
    if (bench_output_is_wanted("tournament.times"))
        bench_luck(&bench, folder);
    directory_tree_remove(bench.folder);
    return 0;
}
