/* The life of a bot's process: how it is started, what it inherits, and that nothing of it is
 * left. */

#include "bot/bot.h"
#include "support/bot_driver.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHORT_MS 60

static struct bot_driver driver;

static void begin(const char *name)
{
    driver_init(&driver);
    driver_start_hostile(&driver, name, NULL);
}

Test(bot_process, a_bot_that_does_not_end_is_killed_after_the_grace)
{
    begin("ignores_sigterm");
    driver_hello(&driver, DRIVER_ENOUGH_MS);
    cr_assert_eq(driver_ask(&driver, DRIVER_ENOUGH_MS), BOT_ANSWERED);
    driver_leave(&driver, 50);
    cr_assert_str_eq(driver.ending, "signal 9 (Killed)");
    driver_free(&driver);
    begin("stops_itself");
    driver_hello(&driver, DRIVER_ENOUGH_MS);
    cr_assert_eq(driver_ask(&driver, SHORT_MS), BOT_LATE);
    driver_leave(&driver, 0);
    cr_assert_str_eq(driver.ending, "signal 9 (Killed)");
    driver_free(&driver);
}

/* Writes a file and makes it executable if asked to. */
static void write_program(const char *path, const char *bytes, size_t length, mode_t mode)
{
    FILE *file = fopen(path, "we");

    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(chmod(path, mode), 0);
}

static const struct {
    const char *bytes; /* NULL: no file; "/": a folder */
    size_t length;
    mode_t mode;
    const char *message;
} programs[] = {
    {NULL, 0, 0, "there is no such file"},
    {"/", 0, 0, "it is a folder"},
    {"#!/bin/sh\n", 10, 0644, "it is not executable"},
    {"#!/no/such/thing -x\n", 20, 0755, "its interpreter \"/no/such/thing\" does not exist"},
    {"#!/bin/sh\r\necho\r\n", 17, 0755,
     "its first line ends with a carriage return (Windows line ends), and its interpreter "
     "\"/bin/sh\\x0d\" does not exist"},
    {"", 0, 0755, "the file is empty"},
    {"just words\n", 11, 0755, "neither a program nor a script"},
    {"\177ELF\1\1\1", 52, 0755, "a program for another kind of machine"},
};

static void try_program(size_t i, const char *path)
{
    static char bytes[100];

    if (programs[i].bytes != NULL && strcmp(programs[i].bytes, "/") == 0) {
        cr_assert_eq(mkdir(path, 0755), 0);
    } else if (programs[i].bytes != NULL) {
        memset(bytes, 0, sizeof bytes);
        memcpy(bytes, programs[i].bytes, strlen(programs[i].bytes));
        write_program(path, bytes, programs[i].length, programs[i].mode);
    }
    driver_init(&driver);
    driver_start(&driver, path, NULL);
    driver_hello(&driver, DRIVER_ENOUGH_MS);
    cr_expect_eq(driver.outcome, BOT_NO_START, "%zu: %s", i, bot_outcome_name(driver.outcome));
    cr_expect(strstr(driver.message, programs[i].message) != NULL, "%zu: %s", i, driver.message);
    cr_expect(strstr(driver.message, "could not be run") != NULL, "%zu: %s", i, driver.message);
    driver_leave(&driver, 100);
    driver_free(&driver);
    (void)remove(path);
}

Test(bot_process, a_bot_that_cannot_be_run_is_explained)
{
    char folder[] = "/tmp/bot-test-XXXXXX";
    char path[sizeof folder + 10];

    cr_assert_not_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/bot", folder);
    for (size_t i = 0; i < ARRAY_LEN(programs); i++)
        try_program(i, path);
    cr_assert_eq(rmdir(folder), 0);
}

Test(bot_process, a_name_without_a_slash_is_looked_up_in_path)
{
    driver_init(&driver);
    driver_start(&driver, "no-such-program-anywhere", NULL);
    cr_assert_eq(driver_hello(&driver, DRIVER_ENOUGH_MS), BOT_NO_START);
    cr_assert(strstr(driver.message, "there is no program of that name in PATH") != NULL, "%s",
              driver.message);
    driver_free(&driver);
    driver_init(&driver);
    driver_start(&driver, "echo", "hello from PATH");
    cr_assert_eq(driver_hello(&driver, DRIVER_ENOUGH_MS), BOT_ANSWERED);
    driver_free(&driver);
}

/* It says hello only if it is where it should be and has what it should have. */
static const char asks_itself[] =
    "#!/bin/sh\n"
    "[ -f ./bot ] && [ \"$ADDED\" = 'a=b c' ] && [ \"$HOME\" = /nowhere ] && [ -n \"$PATH\" ] &&\n"
    "[ \"$(ulimit -d)\" = 65536 ] && read greeting && exec echo hello bot\n";

Test(bot_process, a_bot_has_the_folder_environment_and_memory_that_it_is_given)
{
    static const char *const environment[] = {"ADDED=a=b c", "HOME=/nowhere", NULL};
    char folder[] = "/tmp/bot-test-XXXXXX";
    char path[sizeof folder + 10];

    cr_assert_not_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/bot", folder);
    write_program(path, asks_itself, strlen(asks_itself), 0755);
    for (int round = 0; round < 2; round++) {
        driver_init(&driver);
        driver.folder = folder;
        driver.environment = round == 0 ? environment : environment + 1;
        driver.memory_mb = 64;
        driver_start(&driver, "./bot", NULL);
        cr_expect_eq(driver_hello(&driver, DRIVER_ENOUGH_MS),
                     round == 0 ? BOT_ANSWERED : BOT_NO_START, "%d: %s: %s", round, driver.message,
                     driver.stderr_tail);
        driver_free(&driver);
    }
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(rmdir(folder), 0);
    driver_init(&driver);
    driver.folder = folder;
    driver_start(&driver, "./bot", NULL);
    cr_assert_eq(driver_hello(&driver, DRIVER_ENOUGH_MS), BOT_NO_START);
    cr_assert(strstr(driver.message, "cannot be entered: No such file") != NULL, "%s",
              driver.message);
    driver_free(&driver);
}

static int count_fds(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;

    cr_assert_not_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

/* Each is left in another state, in each of two ways. */
Test(bot_process, no_descriptor_and_no_zombie_is_left)
{
    static const char *const names[] = {"good",        "late",         "closes_stdin",
                                        "silent",      "half_line",    "closes_stdout",
                                        "two_answers", "stops_itself", "grandchild_holds_pipe",
                                        "no_hello",    "stderr_flood", "exits_at_once"};
    int before = count_fds();

    for (size_t i = 0; i < 2 * ARRAY_LEN(names); i++) {
        begin(names[i / 2]);
        if (i / 2 % 3 > 0)
            driver_hello(&driver, i / 2 < 9 ? DRIVER_ENOUGH_MS : SHORT_MS);
        if (i / 2 % 3 > 1)
            driver_ask(&driver, SHORT_MS);
        if (i % 2 > 0)
            driver_leave(&driver, 20);
        driver_free(&driver);
    }
    cr_assert_eq(count_fds(), before);
    cr_assert_eq(waitpid(-1, NULL, WNOHANG), -1);
    cr_assert_eq(errno, ECHILD);
}

Test(bot_process, a_bot_gets_nothing_but_its_three_pipes)
{
    int leaked = dup(STDERR_FILENO);

    (void)signal(SIGPIPE, SIG_IGN);
    driver_init(&driver);
    driver.cpu = 0;
    driver_start_hostile(&driver, "checks_clean_start", "0");
    cr_assert_eq(driver_hello(&driver, DRIVER_ENOUGH_MS), BOT_ANSWERED, "%s: %s", driver.message,
                 driver.stderr_tail);
    driver_free(&driver);
    close(leaked);
}

/* Starts the helper, which starts a bot, prints its pid and stays. */
static pid_t start_holder(int *output)
{
    int ends[2];
    pid_t pid;

    cr_assert_eq(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        char path[1000];

        (void)snprintf(path, sizeof path, "%s", driver_hostile_path("../bot_holder"));
        (void)dup2(ends[1], STDOUT_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        (void)execl(path, path, driver_hostile_path("ignores_sigterm"), NULL);
        _exit(127);
    }
    close(ends[1]);
    *output = ends[0];
    return pid;
}

Test(bot_process, bots_die_with_the_referee_even_when_it_is_killed)
{
    char message[32] = "";
    struct pollfd gone = {.events = POLLIN};
    int output;
    pid_t holder = start_holder(&output);

    cr_assert_gt(read(output, message, sizeof message - 1), 0);
    gone.fd = (int)syscall(SYS_pidfd_open, (pid_t)strtol(message, NULL, 10), 0);
    cr_assert_geq(gone.fd, 0, "the bot of %s is running", message);
    cr_assert_eq(kill(holder, SIGKILL), 0);
    cr_assert_eq(waitpid(holder, NULL, 0), holder);
    cr_assert_eq(poll(&gone, 1, DRIVER_ENOUGH_MS), 1, "the bot is still there");
    close(gone.fd);
    close(output);
}

/* The loop does not run while the bot writes, so nobody reads the pipe. */
Test(bot_process, what_is_on_stderr_counts_whether_the_loop_has_read_it_or_not)
{
    static const char script[] =
        "#!/bin/sh\nread x\necho hello x\nread x\necho words >&2\nrm \"$0\"\nread x\n";
    char path[] = "/tmp/test-bot-XXXXXX";
    const char *kept;
    size_t length;

    close(mkstemp(path));
    write_program(path, script, strlen(script), 0700);
    driver_init(&driver);
    driver_start(&driver, path, NULL);
    cr_assert_eq(driver_hello(&driver, DRIVER_ENOUGH_MS), BOT_ANSWERED);
    bot_tell(driver.bot, "go\n", 3);
    bot_flush(driver.bot);
    while (access(path, F_OK) == 0)
        (void)poll(NULL, 0, 1);
    kept = bot_stderr(driver.bot, &length);
    cr_expect(length == 6 && strncmp(kept, "words\n", 6) == 0, "%.*s", (int)length, kept);
    bot_forget_stderr(driver.bot);
    (void)bot_stderr(driver.bot, &length);
    cr_expect_eq(length, 0);
    driver_free(&driver);
}
