/* A bot under a debugger. There is no clock: the bot reads from a file what the referee wrote to
 * it. The file is in memory and ends with us.
 *
 * gdb has the terminal as its standard input and redirects that of the bot with its command
 * `start`, which takes the bot's arguments too, as a shell reads them. pdb runs in the same process
 * as the bot, so the file is the standard input of both, and pdb gets the terminal as another
 * descriptor: a few lines of Python tell it so. */

#include "cli/replay/debugger.h"

#include "base/memory.h"
#include "base/message.h"
#include "sandbox/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define TERMINAL_FD 3 /* also in `pdb_code` */
#define INPUT_FD 4    /* the least that the file may have */
#define HEAD_BYTES 256
#define HEAD_WORDS 8

/* What runs the bot. */
enum kind {
    KIND_PROGRAM,
    KIND_PYTHON,
    KIND_OTHER,
};

/* A bot as it is run in the end: a script with a #! line is run by the program in that line. */
struct target {
    enum kind kind;
    const char **argv; /* the words are lent by the command or by `head` */
    size_t count;
    char path[PATH_MAX];
    char head[HEAD_BYTES]; /* the beginning of its file */
};

/* Programs that run scripts; a version may follow the name. */
static const struct {
    const char *name;
    enum kind kind;
} interpreters[] = {
    {"python", KIND_PYTHON}, {"pypy", KIND_PYTHON},  {"awk", KIND_OTHER},
    {"bash", KIND_OTHER},    {"bun", KIND_OTHER},    {"clisp", KIND_OTHER},
    {"dash", KIND_OTHER},    {"deno", KIND_OTHER},   {"dotnet", KIND_OTHER},
    {"elixir", KIND_OTHER},  {"erl", KIND_OTHER},    {"escript", KIND_OTHER},
    {"gawk", KIND_OTHER},    {"guile", KIND_OTHER},  {"java", KIND_OTHER},
    {"julia", KIND_OTHER},   {"ksh", KIND_OTHER},    {"lua", KIND_OTHER},
    {"luajit", KIND_OTHER},  {"mawk", KIND_OTHER},   {"mono", KIND_OTHER},
    {"node", KIND_OTHER},    {"nodejs", KIND_OTHER}, {"ocaml", KIND_OTHER},
    {"perl", KIND_OTHER},    {"php", KIND_OTHER},    {"racket", KIND_OTHER},
    {"Rscript", KIND_OTHER}, {"ruby", KIND_OTHER},   {"runghc", KIND_OTHER},
    {"sbcl", KIND_OTHER},    {"sh", KIND_OTHER},     {"tclsh", KIND_OTHER},
    {"zsh", KIND_OTHER},
};

/* After each start the bot reads the file from its beginning: pdb starts a bot again that has
 * ended. It clears all global names for the bot, so there are none. */
static const char pdb_code[] = "def debug():\n"
                               "    import os, pdb, sys\n"
                               "    terminal, base = os.fdopen(3), pdb.Pdb\n"
                               "    class Pdb(base):\n"
                               "        def __init__(self, *words, **more):\n"
                               "            more.update(stdin=terminal, stdout=sys.stdout)\n"
                               "            base.__init__(self, *words, **more)\n"
                               "        def reset(self):\n"
                               "            if not sys.stdin.closed:\n"
                               "                sys.stdin.seek(0)\n"
                               "            base.reset(self)\n"
                               "    pdb.Pdb = Pdb\n"
                               "    sys.argv[0] = 'pdb'\n"
                               "    pdb.main()\n"
                               "debug()\n";

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static enum kind kind_of_interpreter(const char *path)
{
    const char *name = base_name(path);

    for (size_t i = 0; i < ARRAY_LEN(interpreters); i++) {
        size_t length = strlen(interpreters[i].name);

        if (strncmp(name, interpreters[i].name, length) == 0 &&
            name[length + strspn(name + length, "0123456789.-")] == '\0')
            return interpreters[i].kind;
    }
    return KIND_PROGRAM;
}

static void read_head(struct target *target)
{
    int fd = open(target->path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, target->head, sizeof target->head - 1) : -1;

    target->head[length > 0 ? length : 0] = '\0';
    if (fd >= 0)
        close(fd);
}

/* Adds the words of a #! line. `env` finds a program as we do, so it is left out. */
static void add_interpreter(struct target *target)
{
    char *rest;
    char *word;

    target->head[strcspn(target->head, "\n")] = '\0';
    word = strtok_r(target->head + 2, " \t\r", &rest);
    if (word != NULL && strcmp(base_name(word), "env") == 0)
        word = strtok_r(NULL, " \t\r", &rest);
    if (word != NULL && strcmp(word, "-S") == 0)
        word = strtok_r(NULL, " \t\r", &rest);
    for (; word != NULL && target->count < HEAD_WORDS; word = strtok_r(NULL, " \t\r", &rest))
        target->argv[target->count++] = word;
}

/* A program that has the name of an interpreter is one, even if it is a script itself. */
static void target_read(struct target *target, const struct bot_command *command)
{
    char *const *argv = command->argv;
    size_t words = 0;
    bool is_script;

    if (strcmp(base_name(argv[0]), "env") == 0 && argv[1] != NULL && argv[1][0] != '-' &&
        strchr(argv[1], '=') == NULL)
        argv++;
    while (argv[words] != NULL)
        words++;
    target->argv = xcalloc(HEAD_WORDS + words + 1, sizeof *target->argv);
    if (process_find_program(argv[0], target->path) != 0)
        snprintf(target->path, sizeof target->path, "%s", argv[0]);
    read_head(target);
    is_script = strncmp(target->head, "#!", 2) == 0 && kind_of_interpreter(argv[0]) == KIND_PROGRAM;
    if (is_script)
        add_interpreter(target);
    for (size_t i = 0; i < words; i++)
        target->argv[target->count++] = i == 0 ? target->path : argv[i];
    target->kind = kind_of_interpreter(target->argv[0]);
    /* What is neither a program nor a known script is run by some program that we do not know. */
    if (target->kind == KIND_PROGRAM && (is_script || strncmp(target->head, "\177ELF", 4) != 0))
        target->kind = KIND_OTHER;
}

/* Adds a word so that a shell reads it as it is. */
static void print_word(FILE *file, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_";

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, file);
        return;
    }
    fputc('\'', file);
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            fputs("'\\''", file);
        else
            fputc(*word, file);
    }
    fputc('\'', file);
}

/* Runs a debugger and waits for its end. Ctrl-C is for the debugger alone. */
static int spawn(const char *const *argv, const posix_spawn_file_actions_t *actions)
{
    int status;
    pid_t pid;
    int error;

    signal(SIGINT, SIG_IGN);
    error = posix_spawnp(&pid, argv[0], actions, NULL, (char *const *)argv, environ);
    if (error != 0)
        message_say("%s could not be started: %s", argv[0], strerror(error));
    else
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
    signal(SIGINT, SIG_DFL);
    return error == 0 ? 0 : -1;
}

static int run_gdb(const struct target *target, int input)
{
    char *start = NULL;
    size_t length;
    FILE *file = open_memstream(&start, &length);
    const char *argv[] = {"gdb", "-q", "-ex", NULL, target->path, NULL};
    int result;

    if (file == NULL)
        return -1;
    fputs("start", file);
    for (size_t i = 1; i < target->count; i++) {
        fputc(' ', file);
        print_word(file, target->argv[i]);
    }
    fprintf(file, " < /proc/%d/fd/%d", (int)getpid(), input);
    (void)fclose(file);
    argv[3] = start;
    /* gdb has the arguments read by this shell, and they are quoted for a plain one. */
    (void)setenv("SHELL", "/bin/sh", 1);
    result = spawn(argv, NULL);
    free(start);
    return result;
}

/* How many words of a Python command are the interpreter and its options. */
static size_t count_options(const struct target *target)
{
    size_t count = 1;

    while (count < target->count && target->argv[count][0] == '-' &&
           strcmp(target->argv[count], "-m") != 0 && strcmp(target->argv[count], "-c") != 0)
        count += strcmp(target->argv[count], "-X") == 0 || strcmp(target->argv[count], "-W") == 0
                     ? 2
                     : 1;
    return count < target->count ? count : target->count;
}

/* Whether pdb can run it: not what is no file and no module. */
static bool is_for_pdb(const struct target *target)
{
    size_t options = count_options(target);

    return options < target->count && strcmp(target->argv[options], "-c") != 0;
}

static int run_pdb(const struct target *target, int input)
{
    const char **argv = xcalloc(target->count + 3, sizeof *argv);
    size_t options = count_options(target);
    size_t count = 0;
    posix_spawn_file_actions_t actions;
    int result;

    for (size_t i = 0; i < target->count; i++) {
        if (i == options) {
            argv[count++] = "-c";
            argv[count++] = pdb_code;
        }
        argv[count++] = target->argv[i];
    }
    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, TERMINAL_FD);
    (void)posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    result = spawn(argv, &actions);
    (void)posix_spawn_file_actions_destroy(&actions);
    free(argv);
    return result;
}

/* Writes all bytes to a file and goes back to its beginning. Returns 0, or -1 with errno. */
static int fill(int fd, struct span bytes)
{
    for (size_t done = 0; done < bytes.length;) {
        ssize_t length = write(fd, bytes.start + done, bytes.length - done);

        if (length < 0)
            return -1;
        done += (size_t)length;
    }
    return lseek(fd, 0, SEEK_SET) == 0 ? 0 : -1;
}

static int keep_bytes(const struct target *target, struct span bytes)
{
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    int fd;

    snprintf(path, sizeof path, "%s/referee-wire-XXXXXX", folder != NULL ? folder : "/tmp");
    fd = mkstemp(path);
    if (fd < 0 || fill(fd, bytes) != 0) {
        message_say("cannot write the bytes for the bot to %s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    close(fd);
    puts("This command runs the bot with the logged bytes, under a debugger of your choice:");
    for (size_t i = 0; i < target->count; i++) {
        fputs(i == 0 ? "  " : " ", stdout);
        print_word(stdout, target->argv[i]);
    }
    fputs(" < ", stdout);
    print_word(stdout, path);
    putchar('\n');
    return 0;
}

static int run_debugger(const struct target *target, struct span bytes)
{
    int file = memfd_create("referee-wire", MFD_CLOEXEC);
    int input = file >= 0 ? fcntl(file, F_DUPFD_CLOEXEC, INPUT_FD) : -1;
    int result = -1;

    if (input < 0 || fill(input, bytes) != 0)
        message_say("cannot keep the bytes for the bot: %s", strerror(errno));
    else
        result = target->kind == KIND_PYTHON ? run_pdb(target, input) : run_gdb(target, input);
    if (file >= 0)
        close(file);
    if (input >= 0)
        close(input);
    return result;
}

int debugger_run(const struct bot_command *command, struct span bytes)
{
    struct target target = {.count = 0};
    int result = -1;

    target_read(&target, command);
    if (target.kind == KIND_PROGRAM || (target.kind == KIND_PYTHON && is_for_pdb(&target)))
        result = run_debugger(&target, bytes);
    if (result != 0)
        result = keep_bytes(&target, bytes);
    free(target.argv);
    return result;
}
