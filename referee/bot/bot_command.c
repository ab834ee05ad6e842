/* Everything that can be known before a bot is started is found out here: a path that is missing or
 * not executable is the user's mistake, not the bot's. */

#include "bot/bot_command.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/directory_hash.h"
#include "sandbox/process.h"

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

static bool is_file(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
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
static char *find_program(const char *name)
{
    char path[PATH_MAX];
    struct text here;

    if (strchr(name, '/') == NULL && is_file(name)) {
        text_start(&here, path, sizeof path);
        text_add(&here, "./");
        text_add(&here, name);
        return xstrdup(path);
    }
    return process_find_program(name, path) == 0 ? xstrdup(path) : NULL;
}

/* Checks that the interpreter of a script exists. */
static int check_shebang(const char *path, struct text *problem)
{
    char line[SHEBANG_MAX] = "";
    FILE *file = fopen(path, "re");
    size_t length;
    char *interpreter;

    if (file == NULL)
        return 0;
    length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    if (length == 0) {
        add_problem(problem, "", path, " is empty");
        return -1;
    }
    if (strncmp(line, "#!", 2) != 0)
        return 0;
    line[strcspn(line, "\n")] = '\0';
    interpreter = line + 2 + strspn(line + 2, " \t");
    if (strchr(interpreter, '\r') != NULL) {
        add_problem(problem, "the first line of ", path,
                    " ends with a carriage return (Windows line ends), so its interpreter is not "
                    "found; save it with plain line ends");
        return -1;
    }
    interpreter[strcspn(interpreter, " \t")] = '\0';
    if (access(interpreter, X_OK) == 0)
        return 0;
    add_problem(problem, "the first line of ", path, " asks for the interpreter ");
    add_problem(problem, "", interpreter, ", which does not exist");
    return -1;
}

static int check_program(const char *path, struct text *problem)
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
    return check_shebang(path, problem);
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
static int find_hash(struct bot_command *command, bool is_from_path, struct text *problem)
{
    crypto_hash_sha256_state state;
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256_init(&state);
    for (int i = is_from_path ? 1 : 0; command->argv[i] != NULL; i++) {
        if (is_file(command->argv[i]) && directory_hash_file(&state, command->argv[i]) != 0)
            return refuse_unread(command->argv[i], problem);
    }
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(command->hash, sizeof command->hash, hash, sizeof hash);
    return 0;
}

/* The last part of the path of the program, or of the script that an interpreter runs. */
static void find_name(struct bot_command *command, bool is_from_path)
{
    const char *best = command->argv[0];
    size_t length = 0;

    for (int i = 1; is_from_path && command->argv[i] != NULL; i++) {
        if (is_file(command->argv[i])) {
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

int bot_command_read(struct bot_command *command, const char *text, struct text *problem)
{
    char *given;
    char *path;
    bool is_from_path;

    memset(command, 0, sizeof *command);
    command->text = xstrdup(text);
    command->argv = xcalloc(ARGUMENTS_MAX + 1, sizeof *command->argv);
    if (is_file(text))
        command->argv[0] = xstrdup(text);
    else if (split(text, command->argv, problem) < 0)
        return -1;
    if (command->argv[0] == NULL) {
        text_add(problem, "a bot name is empty");
        return -1;
    }
    given = command->argv[0];
    path = find_program(given);
    if (path == NULL) {
        add_problem(problem, "there is no program ", given, "");
        return -1;
    }
    is_from_path = strchr(given, '/') == NULL && !is_file(given);
    command->argv[0] = path;
    free(given);
    find_name(command, is_from_path);
    if (find_hash(command, is_from_path, problem) != 0)
        return -1;
    return check_program(path, problem);
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

static int add_folder_hash(struct bot_command *command, const char *folder, struct text *problem)
{
    crypto_hash_sha256_state state;
    unsigned char hash[crypto_hash_sha256_BYTES];

    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)command->hash, strlen(command->hash));
    if (directory_hash(&state, folder) != 0)
        return refuse_unread(folder, problem);
    crypto_hash_sha256_final(&state, hash);
    sodium_bin2hex(command->hash, sizeof command->hash, hash, sizeof hash);
    return 0;
}

/* All paths in a command begin in its folder, so we go there while it is read. */
int bot_command_read_in(struct bot_command *command, const char *folder, bool is_hashed,
                        const char *text, struct text *problem)
{
    int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int result = -1;

    memset(command, 0, sizeof *command);
    if (here < 0 || chdir(folder) != 0) {
        add_problem(problem, "the folder ", folder, " cannot be entered: ");
        text_add(problem, strerror(errno));
    } else {
        result = bot_command_read(command, text, problem);
        if (result == 0)
            make_absolute(command);
        if (fchdir(here) != 0)
            fatal("the current folder is gone");
        if (result == 0 && is_hashed)
            result = add_folder_hash(command, folder, problem);
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
