/* Nothing that a worker says is believed: only its logs count, and a log is right or wrong. The
 * match is played again from the log with the same code (match/replay.h), and what the log says
 * about seats, bots, settings and cards must be what the task said. What a log cannot prove is that
 * the bots really ran, and how long they took: for that a worker has the key. */

#include "tournament/distribute/block_intake.h"

#include "base/memory.h"
#include "game/rules.h"
#include "match/log_file.h"
#include "match/log_zstd.h"
#include "match/replay.h"
#include "tournament/play/clock_scale.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOG_MAX ((size_t)256 << 20)

static int refuse(struct text *problem, const char *why)
{
    text_add(problem, why);
    return -1;
}

static int check_bots(const struct task_setup *setup, const struct task *task,
                      const struct match_setup *logged, struct text *problem)
{
    if (logged->seats != task->seats)
        return refuse(problem, "its log has another number of seats");
    for (unsigned seat = 0; seat < task->seats; seat++) {
        const struct bot_setup *bot = &setup->bot_setups[task->bots[seat]];

        if (strcmp(logged->names[seat], bot->name) != 0 ||
            strcmp(logged->commands[seat], bot->command.text) != 0 ||
            strcmp(logged->hashes[seat], bot->command.hash) != 0)
            return refuse(problem, "its log has other bots on these seats");
    }
    return 0;
}

/* Whether a level is the one that the task demands, or any real one if that is left open. */
static bool is_level(enum sandbox_level wanted, const char *name)
{
    if (wanted == SANDBOX_AUTO)
        return strcmp(name, sandbox_level_name(SANDBOX_NONE)) != 0;
    return strcmp(name, sandbox_level_name(wanted)) == 0;
}

static bool is_same_variant(const char *one, const char *other)
{
    return strcmp(one != NULL ? one : "", other != NULL ? other : "") == 0;
}

/* Whether a time is the one of the task, for a machine of the logged speed. */
static bool is_limit(long wanted_ms, const struct match_setup *logged, long logged_ms)
{
    return clock_scale_ms(wanted_ms, logged->reference, logged->speed) == logged_ms;
}

static int check_settings(const struct task_setup *setup, const struct match_setup *logged,
                          struct text *problem)
{
    if (!rules_are_same(&logged->rules, &setup->rules) ||
        !is_same_variant(logged->variant, setup->variant))
        return refuse(problem, "its log has other rules");
    if (logged->clock != setup->clock || logged->may_ponder != setup->may_ponder ||
        logged->reference != setup->reference ||
        !is_limit(setup->start_ms, logged, logged->start_ms) ||
        !is_limit(setup->move_ms, logged, logged->move_ms) ||
        !is_limit(setup->bank_ms, logged, logged->bank_ms))
        return refuse(problem, "its log has other clocks");
    if (!is_level(setup->sandbox, logged->sandbox))
        return refuse(problem, "its bots were contained at another level");
    if (logged->dealer != 0 || logged->branch_of != NULL ||
        logged->is_guessable != setup->is_guessable || (logged->keeps_bots && !setup->keeps_bots))
        return refuse(problem, "its log is not one of this tournament");
    return 0;
}

static int check_cards(const struct task *task, const struct replay *replay, struct text *problem)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    char commitment[LOG_RECORD_HASH_HEX];

    crypto_hash_sha256(hash, task->seed, sizeof task->seed);
    sodium_bin2hex(commitment, sizeof commitment, hash, sizeof hash);
    if (!replay_has_seed(replay) || strcmp(replay_commitment(replay), commitment) != 0)
        return refuse(problem, "its log has other cards");
    return 0;
}

static void take_result(const struct task *task, const struct replay *replay,
                        struct task_report *report)
{
    const struct match *match = replay_match(replay);

    *report = (struct task_report){.end = TASK_PLAYED, .task = *task};
    report->result = (struct result){
        .block = task->block,
        .rotation = task->rotation,
        .seats = task->seats,
    };
    memcpy(report->result.bots, task->bots, sizeof report->result.bots);
    result_take(&report->result, match);
    snprintf(report->log_hash, sizeof report->log_hash, "%s", replay_hash(replay));
    for (unsigned seat = 0; seat < task->seats; seat++)
        report->times[seat] = *match_times(match, seat);
}

static int verify(const struct task_setup *setup, const struct task *task, struct span lines,
                  struct task_report *report, struct text *problem)
{
    struct replay *replay = replay_read(lines.start, lines.length, NULL, NULL, problem);
    const struct match_setup *logged;
    int result = -1;

    if (replay == NULL)
        return -1;
    logged = match_setup_of(replay_match(replay));
    if (check_bots(setup, task, logged, problem) == 0 &&
        check_settings(setup, logged, problem) == 0 && check_cards(task, replay, problem) == 0) {
        if (setup->measures_luck)
            replay_measure_luck(replay);
        result = replay_verify(replay, problem);
    }
    if (result == 0)
        take_result(task, replay, report);
    replay_free(replay);
    return result;
}

/* Files. */

static int write_file(const char *path, struct span bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_TRUNC | O_CLOEXEC, 0644);
    size_t done = 0;
    int result = 0;
    int error;

    if (fd < 0)
        return -1;
    while (done < bytes.length && result == 0) {
        ssize_t written = write(fd, bytes.start + done, bytes.length - done);

        if (written > 0)
            done += (size_t)written;
        else if (errno != EINTR)
            result = -1;
    }
    error = errno;
    close(fd);
    errno = error;
    return result;
}

/* A log has its name only when it is complete, as one that is written here. */
static int write_log(const char *path, struct span log)
{
    char *partial = log_file_next_to(path, LOG_FILE_PACKING);
    int result = write_file(partial, log);

    if (result == 0)
        result = rename(partial, path);
    else
        (void)unlink(partial);
    free(partial);
    return result;
}

static int write_files(const struct task_setup *setup, const struct task *task,
                       const struct block_result_match *match)
{
    char *path = store_open_path_in(setup->folder, task->block, task->rotation);
    int result = 0;

    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX && result == 0; seat++) {
        char ending[20];
        char *name;

        snprintf(ending, sizeof ending, ".stderr.%u", seat);
        name = log_file_next_to(path, ending);
        if (match->stderrs[seat].length > 0)
            result = write_file(name, match->stderrs[seat]);
        else
            (void)unlink(name);
        free(name);
    }
    if (result == 0)
        result = write_log(path, match->log);
    free(path);
    return result;
}

enum block_intake block_intake_match(const struct task_setup *setup, const struct task *task,
                                     const struct block_result_match *match,
                                     struct task_report *report, struct text *problem)
{
    size_t length = 0;
    char *lines = NULL;
    int result = -1;

    if (log_zstd_is_packed(match->log.start, match->log.length))
        lines = log_zstd_unpack(match->log, LOG_MAX, &length, problem);
    else
        text_add(problem, "its log is not compressed");
    if (lines != NULL)
        result = verify(setup, task, (struct span){lines, length}, report, problem);
    free(lines);
    if (result != 0)
        return BLOCK_INTAKE_FALSE;
    return write_files(setup, task, match) == 0 ? BLOCK_INTAKE_TAKEN : BLOCK_INTAKE_FAILED;
}
