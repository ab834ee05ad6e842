/* A build is a contained process: its output and stderr go to one pipe, of which the beginning and
 * the end are kept, and its exit status says whether it worked. */

#include "tournament/play/bot_build.h"

#include "base/clock.h"
#include "base/directory.h"
#include "base/directory_tree.h"
#include "base/memory.h"
#include "sandbox/process.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES ((size_t)64 * 1024)
#define TAIL_BYTES 800
#define WORKSHOP "build"

/* Reads what the build writes until it has ended or its time is over, and reaps it. Returns whether
 * it ended by itself. */
static bool wait_for_end(struct process *process, unsigned limit_s)
{
    struct pollfd fds[] = {{.fd = process->pidfd, .events = POLLIN},
                           {.fd = process->stderr_fd, .events = POLLIN}};
    int64_t end_us = clock_now_us() + (int64_t)limit_s * 1000000;

    while (fds[0].revents == 0 && clock_now_us() < end_us) {
        (void)poll(fds, 2, PROCESS_CHECK_MS);
        if (fds[1].revents != 0 && !process_read_stderr(process, PIECE_BYTES))
            fds[1].fd = -1;
        (void)process_check_limits(process);
    }
    process_reap(process);
    (void)process_read_stderr(process, STDERR_CAPTURE_HEAD_BYTES + STDERR_CAPTURE_TAIL_BYTES);
    return fds[0].revents != 0;
}

static int copy_source(const char *source, const char *folder, struct text *problem)
{
    char *real = realpath(source, NULL);
    int result = real != NULL ? directory_tree_copy(real, folder, DIRECTORY_TREE_BYTES_MAX) : -1;

    if (result != 0)
        text_printf(problem, "its folder cannot be copied: %s",
                    errno == EFBIG ? "it is too large" : strerror(errno));
    free(real);
    return result;
}

/* Takes the build out of the scratch folder. While it ran, only blocks on the disk counted; whoever
 * reads a file pays for its holes too. */
static int fetch(const char *scratch, const char *folder, long most_kb, struct text *problem)
{
    char *path = directory_join(scratch, WORKSHOP);
    long room_kb = sandbox_limits_default.scratch_mb * 1024;
    bool is_less = most_kb > 0 && most_kb < room_kb;
    int64_t most = (int64_t)(is_less ? most_kb : room_kb) * 1024;
    int result = directory_tree_copy(path, folder, most);

    if (result == 0 && is_less && directory_tree_disk(folder) > most) {
        errno = EFBIG;
        result = -1;
    }
    if (result != 0 && errno == EFBIG && is_less)
        text_printf(problem,
                    "its build failed: its author has only %ld KB of disk left for the files in "
                    "the end",
                    most_kb);
    else if (result != 0 && errno == EFBIG)
        text_printf(problem, "its build failed: the files in the end are larger than %ld MB",
                    sandbox_limits_default.scratch_mb);
    else if (result != 0)
        text_printf(problem, "the build cannot be copied: %s", strerror(errno));
    free(path);
    return result;
}

/* An output that cannot be kept is no reason for a build to fail. */
static void keep_output(const struct process *process, const char *path)
{
    size_t length;
    const char *text = stderr_capture_text(&process->capture, &length);
    FILE *file = path != NULL ? fopen(path, "we") : NULL;

    if (file == NULL)
        return;
    (void)fwrite(text, 1, length, file);
    (void)fclose(file);
}

static int run(const struct process_spec *spec, const char *folder,
               const struct bot_build_limits *limits, struct text *problem)
{
    struct process process;
    const char *ending;
    char late[60];
    int result = -1;

    if (process_start(&process, spec, problem) != 0) {
        text_printf(problem, "its build could not be started: %s", strerror(errno));
        return -1;
    }
    if (process.pid > 0) {
        process_close_fd(&process.stdin_fd);
        snprintf(late, sizeof late, "it took longer than %u seconds", limits->seconds);
        ending = wait_for_end(&process, limits->seconds) ? process.ending : late;
        keep_output(&process, limits->output_path);
        if (process.stop_reason[0] != '\0')
            ending = process.stop_reason;
        /* That is the bot's own affair, whatever went wrong on the way. */
        errno = 0;
        if (strcmp(ending, "exit status 0") != 0)
            text_printf(problem, "its build failed: %s\n%s", ending,
                        stderr_capture_last(&process.capture, TAIL_BYTES));
        else if (process_scratch(&process) != NULL)
            result = fetch(process_scratch(&process), folder, limits->most_kb, problem);
        else
            result = 0;
    }
    process_free(&process);
    return result;
}

/* bubblewrap keeps what is written in it to itself, so a build is never put into it. */
static int run_contained(struct process_spec *spec, const char *folder,
                         const struct bot_build_limits *limits, struct sandbox *sandbox,
                         struct text *problem)
{
    int result = -1;

    if (sandbox_level(sandbox) == SANDBOX_SEALED)
        spec->sandbox = sandbox_new(SANDBOX_GUARDED, problem);
    else if (sandbox_level(sandbox) == SANDBOX_GUARDED)
        spec->sandbox = sandbox;
    if (spec->sandbox != NULL)
        result = run(spec, folder, limits, problem);
    if (spec->sandbox != sandbox)
        sandbox_free(spec->sandbox);
    return result;
}

int bot_build_run(const struct config_bot *bot, const char *folder,
                  const struct bot_build_limits *limits, struct sandbox *sandbox,
                  struct text *problem)
{
    /* In a scratch folder the build works on a copy. */
    static const char to_workshop[] =
        "cp -R . \"$HOME/" WORKSHOP "\" && chmod -R u+w \"$HOME/" WORKSHOP
        "\" && cd \"$HOME/" WORKSHOP "\" || exit 1\n";
    bool is_contained = sandbox_level(sandbox) != SANDBOX_NONE;
    size_t size = strlen(bot->build) + sizeof to_workshop + 60;
    char *script = xcalloc(size, 1);
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    struct process_spec spec = {
        .argv = argv,
        .folder = is_contained ? bot->folder : folder,
        .environment = (const char *const *)bot->environment,
        .memory_mb = is_contained ? limits->memory_mb : 0,
        .cpu = -1,
        .is_build = true,
    };
    int result = -1;

    snprintf(script, size, "exec 1>&2\nexport LC_ALL=C.UTF-8\n%s%s",
             is_contained ? to_workshop : "", bot->build);
    if (is_contained)
        result = run_contained(&spec, folder, limits, sandbox, problem);
    else if (copy_source(bot->folder, folder, problem) == 0)
        result = run(&spec, folder, limits, problem);
    free(script);
    return result;
}
