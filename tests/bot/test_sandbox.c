/* The sandbox: what bots find in it and what is left of them, at each level that this machine
 * supports. Most bots here are scripts that look around themselves and only say hello if all is as
 * it should be. */

#include "base/memory.h"
#include "sandbox/sandbox.h"
#include "sandbox/uid_pool.h"
#include "sandbox/scratch_dir.h"
#include "sandbox/program_copy.h"
#include "support/bot_driver.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_BYTES 200

static struct bot_driver driver;
static struct sandbox *sandbox;
static long memory_mb; /* of the bots to come; 0: what the level gives */
static char folder[] = "/tmp/contain-test-XXXXXX";

static const enum sandbox_level levels[] = {SANDBOX_GUARDED, SANDBOX_SEALED};

/* Starts with a level. Returns false, and says so, if this machine does not support it. */
static bool begin(enum sandbox_level level)
{
    char message[400];
    struct text problem;

    text_start(&problem, message, sizeof message);
    sandbox = sandbox_new(level, &problem);
    if (sandbox == NULL)
        printf("skip contain %s: %s\n", sandbox_level_name(level), message);
    return sandbox != NULL;
}

static void end(void)
{
    sandbox_free(sandbox);
    sandbox = NULL;
}

static const char *path_of(const char *name)
{
    static char path[PATH_BYTES];

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *message, mode_t mode)
{
    FILE *file = fopen(path_of(name), "we");

    cr_assert_not_null(file);
    cr_assert_geq(fputs(message, file), 0);
    cr_assert_eq(fclose(file), 0);
    cr_assert_eq(chmod(path_of(name), mode), 0);
}

static void make_folder(void)
{
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chmod(folder, 0755), 0);
    cr_assert_eq(mkdir(path_of("bot"), 0755), 0);
    cr_assert_eq(mkdir(path_of("other"), 0755), 0);
    write_file("other/secret", "secret\n", 0644);
}

/* Runs a script as a bot up to its hello. */
static enum bot_outcome run_script(const char *script)
{
    write_file("bot/bot", script, 0755);
    driver_init(&driver);
    driver.sandbox = sandbox;
    driver.memory_mb = memory_mb;
    driver_start(&driver, path_of("bot/bot"), NULL);
    return driver_hello(&driver, DRIVER_ENOUGH_MS);
}

/* Each line must hold; what does not is named on stderr. */
#define SCRIPT_BEGIN                                                                               \
    "#!/bin/sh\nread greeting\nmust() { eval \"$1\" || { echo \"$1\" >&2; exit 1; }; }\n"
#define SCRIPT_END "echo hello script\nread question\n"

Test(sandbox, a_bot_finds_a_clean_place_at_each_level)
{
    char script[2000];

    (void)setenv("SECRET_OF_THE_REFEREE", "42", 1);
    make_folder();
    (void)snprintf(script, sizeof script,
                   SCRIPT_BEGIN "must '[ -z \"$SECRET_OF_THE_REFEREE\" ]'\n"
                                "must '[ -n \"$HOME\" ] && [ \"$HOME\" = \"$TMPDIR\" ]'\n"
                                "must '[ -x bot ] && cat bot >$TMPDIR/copy'\n"
                                "must '! (echo x >new) 2>/dev/null'\n"
                                "must '! cat %s/other/secret 2>/dev/null'\n"
                                "must '! ls %s 2>/dev/null | grep other'\n"
                                "must '[ $(id -u) != 0 ]'\n"
                                "while read key value; do eval \"${key%%:}='$value'\"; done"
                                " </proc/self/status\n"
                                "must '[ \"$NoNewPrivs$Seccomp\" = 12 ]'\n"
                                "must '[ $(ulimit -n) -le 256 ] && [ $(ulimit -c) = 0 ]'\n"
                                "must '! cat /proc/%d/environ 2>/dev/null'\n" SCRIPT_END,
                   folder, folder, (int)getpid());
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        if (!begin(levels[i]))
            continue;
        cr_expect_eq(run_script(script), BOT_ANSWERED, "%s: %s: %s", sandbox_level_name(levels[i]),
                     driver.message, driver.stderr_tail);
        driver_free(&driver);
        end();
    }
    cr_assert_eq(run_script(script), BOT_NO_START, "without containment it finds the secret");
    driver_free(&driver);
    cr_assert_eq(scratch_dir_remove(folder), 0);
}

/* How many processes have that word among their arguments. */
static unsigned count_processes(const char *word)
{
    DIR *all = opendir("/proc");
    const struct dirent *entry;
    unsigned count = 0;

    while ((entry = readdir(all)) != NULL) {
        char path[PATH_BYTES + NAME_MAX];
        char message[500];
        FILE *file;
        size_t length = 0;

        (void)snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        file = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' ? fopen(path, "re") : NULL;
        if (file != NULL) {
            length = fread(message, 1, sizeof message, file);
            fclose(file);
        }
        count += length > 0 && memmem(message, length, word, strlen(word)) != NULL;
    }
    closedir(all);
    return count;
}

Test(sandbox, nothing_is_left_of_a_bot_that_hides_its_processes)
{
    char mark[20];
    char script[1000];

    /* No other process sleeps that long. */
    (void)snprintf(mark, sizeof mark, "9876%d", (int)getpid());
    (void)snprintf(script, sizeof script,
                   SCRIPT_BEGIN "(setsid sh -c 'sleep %s1 & exec sleep %s2' &)\n"
                                "(setsid setsid sleep %s3 >/dev/null 2>&1 &)\n"
                                "sleep %s4 &\n" SCRIPT_END,
                   mark, mark, mark, mark);
    make_folder();
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        if (!begin(levels[i]))
            continue;
        cr_expect_eq(run_script(script), BOT_ANSWERED, "%s: %s", driver.message,
                     driver.stderr_tail);
        driver_leave(&driver, 0);
        driver_free(&driver);
        cr_expect_eq(count_processes(mark), 0, "%s", sandbox_level_name(levels[i]));
        cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1, "a zombie is left");
        end();
    }
    cr_assert_eq(scratch_dir_remove(folder), 0);
}

Test(sandbox, a_bot_that_uses_too_much_is_killed_and_the_reason_is_given)
{
    /* No child of it is too large, but all together are. */
    static const char grower[] =
        "#!/bin/sh\nread greeting\necho hello grower\nread question\n"
        "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do\n"
        "(x=$(head -c 8000000 /dev/urandom | base64 -w 0); sleep 1000; :) &\ndone\nsleep 1000\n";
    static const char filler[] = "#!/bin/sh\nread greeting\necho hello filler\nread question\n"
                                 "for i in 1 2 3; do head -c 30000000 /dev/urandom >$TMPDIR/$i || "
                                 "exit 7; done\nsleep 1000\n";

    make_folder();
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        if (!begin(levels[i]))
            continue;
        memory_mb = 100;
        cr_expect_eq(run_script(grower), BOT_ANSWERED, "%s", driver.stderr_tail);
        cr_expect_eq(driver_ask(&driver, DRIVER_ENOUGH_MS), BOT_GONE);
        cr_expect_str_eq(driver.message, "it was stopped: it used more than 100 MB of memory");
        driver_free(&driver);
        memory_mb = 0;
        end();
        cr_assert(begin(levels[i]), "a sandbox keeps the files of a bot as they were");
        cr_expect_eq(run_script(filler), BOT_ANSWERED, "%s", driver.stderr_tail);
        cr_expect_eq(driver_ask(&driver, DRIVER_ENOUGH_MS), BOT_GONE);
        cr_expect_str_eq(driver.message,
                         levels[i] == SANDBOX_SEALED || geteuid() == 0
                             ? "it ended with exit status 7"
                             : "it was stopped: its scratch folder holds more than 64 MB");
        driver_free(&driver);
        end();
    }
    cr_assert_eq(scratch_dir_remove(folder), 0);
}

Test(sandbox, the_clock_measures_a_bot_in_bubblewrap)
{
    if (!begin(SANDBOX_SEALED))
        cr_skip_test("this machine has no bubbles");
    cr_assert_eq(driver_burn(&driver, sandbox), BOT_ANSWERED, "%s", driver.message);
    cr_assert(driver.time.is_measured);
    cr_assert_geq(driver.time.cpu_us, 20000);
    /* What the host takes meanwhile is forgiven, and now and then that is as much. */
    for (unsigned tries = 0; tries < 20 && driver.outcome == BOT_ANSWERED; tries++)
        (void)driver_ask(&driver, 5);
    cr_assert_eq(driver.outcome, BOT_LATE);
    driver_leave(&driver, 0);
    driver_free(&driver);
    end();
}

static const struct {
    const char *name;
    const char *interpreter; /* NULL: the script is the program */
    const char *script;
} languages[] = {
    {"sh", NULL,
     "#!/bin/sh\nread g\necho hello sh\nwhile read a id r; do [ $a = ask ] && echo $id pile; "
     "done\n"},
    {"python", "python3",
     "import sys, tempfile, threading, subprocess\nsys.stdin.readline()\n"
     "tempfile.TemporaryFile().write(b'x')\nsubprocess.run(['/bin/true'], check=True)\n"
     "t = threading.Thread(target=print, args=('hello python',))\nt.start()\nt.join()\n"
     "sys.stdout.flush()\nfor line in sys.stdin:\n  words = line.split()\n"
     "  if words[0] == 'ask': print(words[1], 'pile', flush=True)\n"},
    {"perl", "perl",
     "$| = 1; <STDIN>; print \"hello perl\\n\"; while (<STDIN>) {"
     " @w = split; print \"$w[1] pile\\n\" if $w[0] eq 'ask' }\n"},
    {"node", "node",
     "const rl = require('readline').createInterface({input: process.stdin}); let first = true;\n"
     "require('fs').writeFileSync(require('os').tmpdir() + '/x', 'x');\n"
     "rl.on('line', line => { const w = line.split(' '); if (first) console.log('hello node');\n"
     "  first = false; if (w[0] == 'ask') console.log(w[1] + ' pile'); });\n"},
    {"java", "java",
     "import java.io.*; public class Bot { public static void main(String[] a) throws Exception {\n"
     "BufferedReader r = new BufferedReader(new InputStreamReader(System.in)); r.readLine();\n"
     "System.out.println(\"hello java\"); for (String l; (l = r.readLine()) != null; ) {\n"
     "String[] w = l.split(\" \"); if (w[0].equals(\"ask\")) System.out.println(w[1] + \" "
     "pile\");\n"
     "} } }\n"},
};

static bool is_installed(const char *program)
{
    char command[100];

    (void)snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

static void play_language(size_t i)
{
    const char *name = strcmp(languages[i].name, "java") == 0 ? "bot/Bot.java" : "bot/bot";
    const char *interpreter = languages[i].interpreter;

    write_file(name, languages[i].script, 0755);
    driver_init(&driver);
    driver.sandbox = sandbox;
    if (interpreter != NULL)
        driver_start(&driver, interpreter, path_of(name));
    else
        driver_start(&driver, path_of(name), NULL);
    cr_expect_eq(driver_hello(&driver, DRIVER_ENOUGH_MS), BOT_ANSWERED, "%s: %s: %s",
                 languages[i].name, driver.message, driver.stderr_tail);
    if (driver.outcome == BOT_ANSWERED)
        cr_expect_eq(driver_ask(&driver, DRIVER_ENOUGH_MS), BOT_ANSWERED, "%s: %s: %s",
                     languages[i].name, driver.message, driver.stderr_tail);
    driver_free(&driver);
}

Test(sandbox, bots_in_common_languages_work_at_each_level)
{
    make_folder();
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        for (size_t j = 0; j < ARRAY_LEN(languages) && begin(levels[i]); j++) {
            if (languages[j].interpreter == NULL || is_installed(languages[j].interpreter))
                play_language(j);
            else
                printf("skip contain %s: it is not installed\n", languages[j].name);
            end();
        }
    }
    cr_assert_eq(scratch_dir_remove(folder), 0);
}

Test(sandbox, a_level_that_is_not_available_is_refused_and_auto_says_what_is_missing)
{
    char message[400];
    struct text text;

    (void)setenv("PATH", "/nowhere", 1);
    text_start(&text, message, sizeof message);
    cr_assert_null(sandbox_new(SANDBOX_SEALED, &text));
    cr_assert(strstr(message, "namespaces: there is no program bwrap") != NULL, "%s", message);
    text_start(&text, message, sizeof message);
    sandbox = sandbox_new(SANDBOX_AUTO, &text);
    cr_assert_not_null(sandbox, "%s", message);
    cr_assert_eq(sandbox_level(sandbox), SANDBOX_GUARDED);
    cr_assert(strstr(sandbox_enforced(sandbox), "limits") != NULL);
    cr_assert(strstr(sandbox_enforced(sandbox), "namespaces") == NULL);
    cr_assert(sandbox_is_gap(sandbox, SANDBOX_NAMESPACES, &text));
    cr_assert(strstr(message, "not enforced here: namespaces") != NULL, "%s", message);
    cr_assert_not(sandbox_is_gap(sandbox, SANDBOX_LIMITS, &text));
    end();
    cr_assert_eq(sandbox_level(NULL), SANDBOX_NONE);
    cr_assert_str_eq(sandbox_enforced(NULL), "");
}

Test(sandbox, a_bot_in_a_closed_folder_runs_from_a_copy)
{
    if (geteuid() != 0)
        cr_skip_test("only root runs bots as users who cannot read their folders");
    make_folder();
    write_file("other/secret", "secret\n", 0600);
    cr_assert_eq(symlink("../other/secret", path_of("bot/link")), 0);
    cr_assert_eq(chmod(folder, 0700), 0);
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        if (!begin(levels[i]))
            continue;
        cr_expect_eq(run_script(SCRIPT_BEGIN "must '[ -x bot ] && [ -L link ]'\n"
                                             "must '! cat link 2>/dev/null'\n" SCRIPT_END),
                     BOT_ANSWERED, "%s: %s", driver.message, driver.stderr_tail);
        driver_free(&driver);
        end();
    }
    cr_assert_eq(scratch_dir_remove(folder), 0);
}

/* A second tournament is started in its folder, and the log of a match is written there. */
Test(sandbox, what_appears_in_the_folder_of_a_bot_later_is_not_readable)
{
    char script[2000];

    make_folder();
    cr_assert_eq(mkdir(path_of("bot/sub"), 0755), 0);
    (void)snprintf(script, sizeof script,
                   SCRIPT_BEGIN "echo hello script\nread table\nread ask id rest\n"
                                "for top in . %s/bot; do for name in log cup/master sub/log; do\n"
                                "! cat $top/$name 2>/dev/null || exit 9\ndone; done\n"
                                "echo $id pile\nread bye\n",
                   folder);
    for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
        if (!begin(levels[i]))
            continue;
        cr_expect_eq(run_script(script), BOT_ANSWERED, "%s: %s", driver.message,
                     driver.stderr_tail);
        cr_assert_eq(mkdir(path_of("bot/cup"), 0755), 0);
        write_file("bot/cup/master", "secret\n", 0644);
        write_file("bot/log", "secret\n", 0644);
        write_file("bot/sub/log", "secret\n", 0644);
        cr_expect_eq(driver_ask(&driver, DRIVER_ENOUGH_MS), BOT_ANSWERED, "%s: %s", driver.message,
                     driver.stderr_tail);
        driver_free(&driver);
        end();
        cr_assert_eq(unlink(path_of("bot/log")), 0);
        cr_assert_eq(unlink(path_of("bot/sub/log")), 0);
        cr_assert_eq(unlink(path_of("bot/cup/master")), 0);
        cr_assert_eq(rmdir(path_of("bot/cup")), 0);
    }
    cr_assert_eq(scratch_dir_remove(folder), 0);
}

Test(sandbox, two_referees_never_use_the_same_user)
{
    static struct uid_pool pools[2];
    uid_t users[2][3];

    if (geteuid() != 0)
        cr_skip_test("only root lends users");
    for (size_t i = 0; i < 2; i++) {
        cr_assert_eq(uid_pool_open(&pools[i]), 0);
        for (size_t j = 0; j < 3; j++)
            users[i][j] = uid_pool_take(&pools[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        cr_assert_neq(users[0][i], 0);
        for (size_t j = 0; j < 3; j++)
            cr_assert_neq(users[0][i], users[1][j]);
    }
    uid_pool_give_back(&pools[0], users[0][1]);
    cr_assert_neq(uid_pool_take(&pools[1]), users[0][1], "it is still the other one's");
    cr_assert_eq(uid_pool_take(&pools[0]), users[0][1]);
    for (size_t i = 0; i < 2; i++)
        uid_pool_close(&pools[i]);
}

/* Goes down into a chain of folders that is much longer than any path may be. */
static void make_chain(const char *top, unsigned depth)
{
    int fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    for (unsigned i = 0; i < depth; i++) {
        int next;

        cr_assert_eq(mkdirat(fd, "folder", 0700), 0);
        next = openat(fd, "folder", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        close(fd);
        fd = next;
    }
    close(fd);
}

Test(sandbox, a_scratch_folder_is_removed_whatever_is_in_it)
{
    struct scratch_dir_size most = {1000000, 50, SCRATCH_DIR_DEPTH_MAX};

    make_folder();
    make_chain(folder, 5000);
    cr_assert_eq(symlink("/etc", path_of("link")), 0);
    cr_assert_eq(mkfifo(path_of("fifo"), 0600), 0);
    write_file("other/file", "words\n", 0000);
    cr_assert_eq(chmod(path_of("other"), 0000), 0);
    cr_assert_gt(scratch_dir_measure(folder, &most).entries, 50, "counting ends above the limit");
    cr_assert_eq(scratch_dir_remove(folder), 0);
    cr_assert_eq(access(folder, F_OK), -1);
    cr_assert_eq(access("/etc/passwd", F_OK), 0);
}
