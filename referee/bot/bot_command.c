/* Everything that can be known before a bot is started is found out here: a path that is missing or
 * not executable is the user's mistake, not the bot's. A stranger may have chosen the words and
 * made the files, and reads what is said about them: so of a folder that is whole nothing is looked
 * at that is outside of it, and without a hash no more is read of any file than its beginning. */

#include "bot/bot_command.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/directory.h"
#include "base/directory_hash.h"
#include "sandbox/landlock.h"
#include "sandbox/process.h"
#include "sandbox/program_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARGUMENTS_MAX 64
#define SHEBANG_MAX 256

/* A command that is being read. */
struct reading {
    const struct bot_command_place *place;
    int error; /* that hides a file for now only; 0: none */
};

/* Whether a word is the path of a regular file, from the current folder. */
static bool is_file(struct reading *reading, const char *path)
{
    struct stat status = {0};
    int fd;

    if (!reading->place->is_whole)
        return stat(path, &status) == 0 && S_ISREG(status.st_mode);
    fd = directory_open_beneath(AT_FDCWD, path, O_PATH);
    if (fd >= 0 ? fstat(fd, &status) != 0
                : errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EAGAIN)
        reading->error = errno;
    if (fd >= 0)
        close(fd);
    return S_ISREG(status.st_mode);
}

static void add_problem(struct text *problem, const char *before, const char *what,
                        const char *after)
{
    text_add(problem, before);
    text_add_quoted(problem, span_of(what));
    text_add(problem, after);
}

/* Splits a command; quotes and backslashes as in a shell. Returns how many, or -1. */
static int split(const char *text, char **argv, struct text *problem)
{
    char *word = xcalloc(strlen(text) + 1, 1);
    size_t length = 0;
    bool is_open = false;
    char quote = '\0';
    int count = 0;

    for (const char *at = text;; at++) {
        bool is_blank = *at == '\0' || strchr(" \t\n", *at) != NULL;

        if (quote == '\0' && is_blank) {
            if (is_open && count < ARGUMENTS_MAX)
                argv[count++] = xstrndup(word, length);
            is_open = false;
            length = 0;
        } else if (quote == '\0' && (*at == '\'' || *at == '"')) {
            quote = *at;
            is_open = true;
        } else if (*at != '\0' && *at == quote) {
            quote = '\0';
        } else if (*at != '\0') {
            if (*at == '\\' && quote != '\'' && at[1] != '\0')
                at++;
            word[length++] = *at;
            is_open = true;
        }
        if (*at == '\0')
            break;
    }
    free(word);
    if (quote != '\0')
        add_problem(problem, "a quote is not closed in ", text, "");
    return quote == '\0' ? count : -1;
}

/* The path of a program: a file in this folder, or as a shell finds it. NULL if there is none. */
static char *find_program(struct reading *reading, const char *name)
{
    bool has_folder = strchr(name, '/') != NULL;
    char path[PATH_MAX];
    struct text here;

    if (!has_folder && is_file(reading, name)) {
        text_start(&here, path, sizeof path);
        text_add(&here, "./");
        text_add(&here, name);
        return xstrdup(path);
    }
    if (has_folder && name[0] != '/' && reading->place->is_whole && !is_file(reading, name))
        return NULL;
    return process_find_program(name, path) == 0 ? xstrdup(path) : NULL;
}

/* Adds where the bundled bot of that name is, if there is one: beside the referee itself. */
static void add_hint(const struct reading *reading, const char *name, struct text *problem)
{
    char self[PATH_MAX], folder[PATH_MAX], path[PATH_MAX + 80];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    size_t here;

    if (length <= 0 || reading->place->is_whole || strlen(name) > 32 || strchr(name, '/') != NULL ||
        getcwd(folder, sizeof folder) == NULL)
        return;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    snprintf(path, sizeof path, "%s/bots/%s", self, name);
    if (access(path, X_OK) != 0)
        return;
    here = strlen(folder);
    if (strncmp(path, folder, here) != 0 || path[here] != '/')
        here = 0;
    text_printf(problem, "; the bundled bot is %s", here > 0 ? path + here + 1 : path);
}

/* Reads the beginning of a regular file. Returns its length, or -1; a file that the kernel makes up
 * has none. */
static ssize_t read_beginning(const char *path, char line[SHEBANG_MAX])
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat status;
    ssize_t length = -1;

    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        length = status.st_size > 0 ? read(fd, line, SHEBANG_MAX - 1) : 0;
    if (fd >= 0)
        close(fd);
    return length;
}

/* Whether a script can have that interpreter. Of a stranger's script that is only said of the
 * system, which every bot can see for itself. */
static bool has_interpreter(struct reading *reading, const char *path)
{
    if (!reading->place->is_whole)
        return access(path, X_OK) == 0;
    return !landlock_is_system(path) || program_copy_is_reachable(path);
}

/* Interpreters by the end of a script's name, for advice. */
static const struct {
    const char *suffix;
    const char *name;
} interpreters[] = {
    {".py", "python3"}, {".js", "node"}, {".mjs", "node"}, {".rb", "ruby"},
    {".pl", "perl"},    {".php", "php"}, {".lua", "lua"},  {".sh", "sh"},
};

static const char *interpreter_of(const char *path)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot != NULL && i < ARRAY_LEN(interpreters); i++) {
        if (strcmp(dot, interpreters[i].suffix) == 0)
            return interpreters[i].name;
    }
    return "sh";
}

/* Only the beginning of a text without #! is sure to be no program: the kernel may know other kinds
 * of binary files. */
static int check_kind(const char *path, struct span beginning, struct text *problem)
{
    const char *interpreter = interpreter_of(path);

    if (memchr(beginning.start, '\0', beginning.length) != NULL)
        return 0;
    add_problem(problem, "", path, " is a script without a first line that names its interpreter");
    text_printf(problem, ", such as `#!/usr/bin/env %s`; add it, or put `%s` before its name",
                interpreter, interpreter);
    return -1;
}

/* Checks that a script has an interpreter, and that it exists. */
static int check_shebang(struct reading *reading, const char *path, struct text *problem)
{
    char line[SHEBANG_MAX] = "";
    ssize_t length = read_beginning(path, line);
    char *interpreter;

    if (length < 0)
        return 0;
    if (length == 0) {
        add_problem(problem, "", path, " is empty");
        return -1;
    }
    if (strncmp(line, "#!", 2) != 0)
        return check_kind(path, (struct span){line, (size_t)length}, problem);
    line[strcspn(line, "\n")] = '\0';
    interpreter = line + 2 + strspn(line + 2, " \t");
    if (strchr(interpreter, '\r') != NULL) {
        add_problem(problem, "the first line of ", path,
                    " ends with a carriage return (Windows line ends), so its interpreter is not "
                    "found; save it with plain line ends");
        return -1;
    }
    interpreter[strcspn(interpreter, " \t")] = '\0';
    if (has_interpreter(reading, interpreter))
        return 0;
    add_problem(problem, "the first line of ", path, " asks for the interpreter ");
    add_problem(problem, "", interpreter, ", which does not exist");
    return -1;
}

static int check_program(struct reading *reading, const char *path, struct text *problem)
{
    struct stat status;

    if (stat(path, &status) != 0) {
        add_problem(problem, "there is no program ", path, "");
        return -1;
    }
    if (!S_ISREG(status.st_mode)) {
        add_problem(problem, "", path,
                    S_ISDIR(status.st_mode) ? " is a folder" : " is not a program");
        return -1;
    }
    if (access(path, X_OK) != 0) {
        add_problem(problem, "", path, " is not executable; `chmod +x` makes it so");
        return -1;
    }
    return check_shebang(reading, path, problem);
}

static int refuse_unread(const char *path, struct text *problem)
{
    const char *why = strerror(errno);

    add_problem(problem, "", path, " cannot be read: ");
    text_add(problem, why);
    return -1;
}

/* The files that make this bot what it is: every argument that is a file, but not an interpreter
 * that was found in PATH. Their order and contents count, not their names. */
static int find_hash(struct bot_command *command, struct reading *reading, bool is_from_path,
                     struct text *problem)
{
    crypto_hash_sha256_state state;
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256_init(&state);
    for (int i = is_from_path ? 1 : 0; command->argv[i] != NULL; i++) {
        if (is_file(reading, command->argv[i]) &&
            directory_hash_file(&state, command->argv[i]) != 0)
            return refuse_unread(command->argv[i], problem);
    }
    if (reading->place->is_whole && directory_hash(&state, ".") != 0)
        return refuse_unread(reading->place->folder, problem);
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(command->hash, sizeof command->hash, hash, sizeof hash);
    return 0;
}

/* The last part of the path of the program, or of the script that an interpreter runs. */
static void find_name(struct bot_command *command, struct reading *reading, bool is_from_path)
{
    const char *best = command->argv[0];
    size_t length = 0;

    for (int i = 1; is_from_path && command->argv[i] != NULL; i++) {
        if (is_file(reading, command->argv[i])) {
            best = command->argv[i];
            break;
        }
    }
    if (strrchr(best, '/') != NULL)
        best = strrchr(best, '/') + 1;
    for (; *best != '\0' && length < BOT_COMMAND_NAME_MAX; best++) {
        bool is_plain = (*best >= 'a' && *best <= 'z') || (*best >= 'A' && *best <= 'Z') ||
                        (*best >= '0' && *best <= '9') || strchr("_-.", *best) != NULL;

        command->name[length++] = is_plain ? *best : '_';
    }
    command->name[length] = '\0';
}

static int read_words(struct bot_command *command, struct reading *reading, const char *text,
                      struct text *problem)
{
    char *given;
    char *path;
    bool is_from_path;

    command->text = xstrdup(text);
    command->argv = xcalloc(ARGUMENTS_MAX + 1, sizeof *command->argv);
    if (is_file(reading, text))
        command->argv[0] = xstrdup(text);
    else if (split(text, command->argv, problem) < 0)
        return -1;
    if (command->argv[0] == NULL) {
        text_add(problem, "a bot name is empty");
        return -1;
    }
    given = command->argv[0];
    path = find_program(reading, given);
    if (path == NULL) {
        add_problem(problem, "there is no program ", given, "");
        add_hint(reading, given, problem);
        return -1;
    }
    is_from_path = strchr(given, '/') == NULL && !is_file(reading, given);
    command->argv[0] = path;
    free(given);
    find_name(command, reading, is_from_path);
    if (check_program(reading, path, problem) != 0)
        return -1;
    return reading->place->is_hashed ? find_hash(command, reading, is_from_path, problem) : 0;
}

/* Reads it with its paths beginning in the current folder. */
static int read_here(struct bot_command *command, const struct bot_command_place *place,
                     const char *text, struct text *problem)
{
    struct reading reading = {.place = place};
    int result = read_words(command, &reading, text, problem);

    if (result != 0 || reading.error == 0)
        return result;
    errno = reading.error;
    return refuse_unread(text, problem);
}

int bot_command_read(struct bot_command *command, const char *text, struct text *problem)
{
    struct bot_command_place here = {.is_hashed = true};

    return bot_command_read_in(command, &here, text, problem);
}

static void make_absolute(struct bot_command *command)
{
    char *path = realpath(command->argv[0], NULL);

    if (path == NULL || strchr(command->argv[0], '/') == NULL) {
        free(path);
        return;
    }
    free(command->argv[0]);
    command->argv[0] = path;
}

/* All paths in a command begin in its folder, so we go there while it is read. */
int bot_command_read_in(struct bot_command *command, const struct bot_command_place *place,
                        const char *text, struct text *problem)
{
    int here = place->folder != NULL ? open(".", O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    int result = -1;

    memset(command, 0, sizeof *command);
    if (place->folder == NULL)
        return read_here(command, place, text, problem);
    if (here < 0 || chdir(place->folder) != 0) {
        add_problem(problem, "the folder ", place->folder, " cannot be entered: ");
        text_add(problem, strerror(errno));
    } else {
        result = read_here(command, place, text, problem);
        if (result == 0)
            make_absolute(command);
        if (fchdir(here) != 0)
            fatal("the current folder is gone");
    }
    if (here >= 0)
        close(here);
    return result;
}

void bot_command_free(struct bot_command *command)
{
    for (int i = 0; command->argv != NULL && command->argv[i] != NULL; i++)
        free(command->argv[i]);
    free(command->argv);
    free(command->text);
    memset(command, 0, sizeof *command);
}

static bool is_taken(char names[][BOT_COMMAND_SEAT_NAME_BYTES], unsigned count, const char *name)
{
    for (unsigned seat = 0; seat < count; seat++) {
        if (strcmp(names[seat], name) == 0)
            return true;
    }
    return false;
}

void bot_command_name_seat(char names[][BOT_COMMAND_SEAT_NAME_BYTES], unsigned seat,
                           const char *name)
{
    snprintf(names[seat], sizeof names[seat], "%s", name);
    for (unsigned number = 2; is_taken(names, seat, names[seat]); number++)
        snprintf(names[seat], sizeof names[seat], "%.*s-%u", BOT_COMMAND_NAME_MAX, name, number);
}
