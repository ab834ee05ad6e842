/* A child process from its start to its end, without a bot around it. */

#include "sandbox/process.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static struct process process;
static char problem[300];

static int start(const char *program, const char *script, long memory_mb)
{
    const char *argv[] = {program, "-c", script, NULL};
    struct process_spec spec = {.argv = argv, .memory_mb = memory_mb, .cpu = -1};
    struct text text;

    text_start(&text, problem, sizeof problem);
    return process_start(&process, &spec, &text);
}

static void wait_for_end(void)
{
    struct pollfd end = {.fd = process.pidfd, .events = POLLIN};

    while (poll(&end, 1, PROCESS_CHECK_MS) == 0)
        (void)process_check_limits(&process);
    process_reap(&process);
}

Test(process, its_exit_status_and_its_stderr_are_known_after_its_end)
{
    size_t length;

    cr_assert_eq(start("/bin/sh", "echo trouble >&2; exit 3", 0), 0);
    wait_for_end();
    cr_expect_not(process_is_running(&process));
    cr_expect_str_eq(process.ending, "exit status 3");
    cr_expect_not(process_read_stderr(&process, 1000));
    cr_expect_str_eq(stderr_capture_text(&process.capture, &length), "trouble\n");
    process_free(&process);
}

Test(process, its_pipes_are_its_input_and_output)
{
    struct pollfd output = {.events = POLLIN};
    char byte = 0;

    cr_assert_eq(start("/bin/sh", "cat", 0), 0);
    cr_assert_eq(write(process.stdin_fd, "x", 1), 1);
    output.fd = process.stdout_fd;
    cr_assert_eq(poll(&output, 1, -1), 1);
    cr_expect_eq(read(process.stdout_fd, &byte, 1), 1);
    cr_expect_eq(byte, 'x');
    process_close_fd(&process.stdin_fd);
    wait_for_end();
    cr_expect_str_eq(process.ending, "exit status 0");
    process_free(&process);
}

Test(process, freeing_a_running_one_kills_its_group)
{
    struct pollfd output = {.events = POLLIN};

    cr_assert_eq(start("/bin/sh", "sleep 1000 & wait", 0), 0);
    output.fd = dup(process.stdout_fd);
    process_free(&process);
    /* The end of the output comes when the last process that holds it has ended. */
    cr_expect_eq(poll(&output, 1, -1), 1);
    close(output.fd);
}

Test(process, one_that_uses_more_memory_than_it_may_is_killed_and_the_reason_is_given)
{
    cr_assert_eq(start("/bin/sh", "for i in 1 2 3 4 5 6 7 8; do sleep 1000 & done; wait", 1), 0);
    wait_for_end();
    cr_expect_str_eq(process.ending, "signal 9 (Killed)");
    cr_expect_str_eq(process.stop_reason, "it was stopped: it used more than 1 MB of memory");
    process_free(&process);
}

Test(process, a_program_that_cannot_be_run_is_explained)
{
    cr_assert_eq(start("/no/such/program", "", 0), 0);
    cr_expect_eq(process.pid, -1);
    cr_expect_str_eq(problem, "\"/no/such/program\" could not be run: there is no such file");
    process_free(&process);
}
