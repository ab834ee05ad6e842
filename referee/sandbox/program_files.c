/* What a program's own files are is decided here, for all levels. It is given its folder; without
 * one, the folder of each argument that is a file. Of these it gets copies (program_copy.c), in
 * which nothing of the referee is, and it starts in the first of them. A path in a store is never
 * its own. A program with a folder has everything in there: a path that leads elsewhere is a mere
 * word of its command. An interpreter that was found in PATH is not its own, but it may read what
 * that was installed with (program_tool.c). */

#include "sandbox/program_files.h"

#include "base/directory.h"
#include "base/memory.h"
#include "sandbox/landlock.h"
#include "sandbox/process.h"
#include "sandbox/program_tool.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A program whose files are being found. */
struct settling {
    struct program_list *programs;
    struct program_files *files;
    char *base; /* where relative paths begin */
    char **own; /* folders and files to be copied; NULL ends them */
    bool has_folder;
};

static size_t length_of(char *const *list)
{
    size_t length = 0;

    while (list != NULL && list[length] != NULL)
        length++;
    return length;
}

static void append(char ***list, const char *argument)
{
    size_t length = length_of(*list);

    *list = xrealloc(*list, (length + 2) * sizeof **list);
    (*list)[length] = xstrdup(argument);
    (*list)[length + 1] = NULL;
}

static void replace(char **argument, char *other)
{
    free(*argument);
    *argument = other;
}

static void list_free(char **list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        free(list[i]);
    free(list);
}

static void program_files_free(struct program_files *files)
{
    list_free(files->argv);
    list_free(files->readable);
    free(files->groups);
    free(files->folder);
    free(files->key);
    free(files);
}

void program_files_close(struct program_list *programs)
{
    while (programs->first != NULL) {
        struct program_files *files = programs->first;

        programs->first = files->next;
        program_files_free(files);
    }
    program_copy_close(&programs->copies);
}

static char *absolute_path(const char *base, const char *argument)
{
    char *path;

    if (argument[0] == '/')
        return xstrdup(argument);
    if (asprintf(&path, "%s/%s", base, strncmp(argument, "./", 2) == 0 ? argument + 2 : argument) <
        0)
        return xstrdup(argument);
    return path;
}

static bool is_in_list(char *const *list, const char *path)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
        if (landlock_is_below(path, list[i]))
            return true;
    }
    return false;
}

/* Whether the folder of a file is not given with it: it holds other things than the program, or too
 * many. In the second case the user should know. */
static bool is_too_much(struct settling *settling, const char *folder, bool is_named)
{
    struct text note;

    if (landlock_is_broad(folder))
        return true;
    if (is_named || is_in_list(settling->own, folder) || directory_is_private(folder) ||
        landlock_is_system(folder) || program_copy_fits(&settling->programs->copies, folder))
        return false;
    text_start(&note, settling->files->note, sizeof settling->files->note);
    text_add_quoted(&note, span_of(folder));
    text_add(&note,
             " holds too much to copy, so bots from there can read only the files that their "
             "commands name");
    return true;
}

/* Adds the folder of a file, or a folder itself; of a folder that holds too much only the file.
 * What is neither, or cannot be read, is nobody's. */
static void add_own(struct settling *settling, const char *path)
{
    char *real = realpath(path, NULL);
    struct stat status;
    char *end;

    if (real != NULL && stat(real, &status) == 0 && access(real, R_OK) == 0 &&
        (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) {
        char *folder = xstrdup(real);

        if (!S_ISDIR(status.st_mode) && (end = strrchr(folder, '/')) != NULL)
            end[end == folder] = '\0';
        if (is_too_much(settling, folder, S_ISDIR(status.st_mode)))
            replace(&folder, xstrdup(real));
        if (!is_in_list(settling->own, folder) && !landlock_is_broad(folder) &&
            !directory_is_private(folder) &&
            !(landlock_is_system(folder) && program_copy_is_reachable(real)))
            append(&settling->own, folder);
        free(folder);
    }
    free(real);
}

/* Adds what the interpreter was installed with. Returns false if there is no installation. */
static bool add_installation(struct program_files *files)
{
    char **entries = program_tool_installation(files->argv[0]);

    for (size_t i = 0; entries != NULL && entries[i] != NULL; i++)
        append(&files->readable, entries[i]);
    program_tool_free(entries);
    return entries != NULL;
}

/* A program that cannot reach the interpreter of our PATH gets the one of the system. */
static void settle_tool(struct settling *settling, const char *real)
{
    struct program_files *files = settling->files;
    bool has_own_user = settling->programs->copies.uids != NULL;
    char *other = NULL;
    struct text note;

    if (has_own_user && !program_copy_is_reachable(real)) {
        other = program_tool_of_system(files->argv[0]);
        if (other == NULL)
            return;
        text_start(&note, files->note, sizeof files->note);
        text_add_quoted(&note, span_of(files->argv[0]));
        text_printf(&note, " cannot be read by all users, so contained bots run %s", other);
        replace(&files->argv[0], other);
    } else if (!landlock_is_system(files->argv[0]) && !add_installation(files)) {
        add_own(settling, files->argv[0]);
    }
}

static void settle_program(struct settling *settling)
{
    const char *program = settling->files->argv[0];
    char *real = realpath(program, NULL);

    if (real != NULL && is_in_list(settling->own, real))
        ;
    else if (real != NULL && (program_tool_is_in_path(program) || landlock_is_system(real)))
        settle_tool(settling, real);
    else
        add_own(settling, program);
    free(real);
}

/* Its own files. */

static void settle_arguments(struct settling *settling)
{
    char **argv = settling->files->argv;

    for (size_t i = 1; argv[i] != NULL; i++) {
        char *path = absolute_path(settling->base, argv[i]);

        if (argv[i][0] != '-' && access(path, F_OK) == 0) {
            add_own(settling, path);
            replace(&argv[i], path);
        } else {
            free(path);
        }
    }
}

static void move_argument(char **argument, const struct program_copy *copy)
{
    char *real = argument[0][0] == '/' ? realpath(*argument, NULL) : NULL;
    char *moved;

    if (real != NULL && landlock_is_below(real, copy->from) &&
        asprintf(&moved, "%s%s", copy->to, real + strlen(copy->from)) >= 0)
        replace(argument, moved);
    free(real);
}

static void use_copy(struct program_files *files, const struct program_copy *copy)
{
    for (size_t i = 0; files->argv[i] != NULL; i++)
        move_argument(&files->argv[i], copy);
    if (files->folder == NULL && strcmp(copy->to, copy->folder) == 0)
        files->folder = xstrdup(copy->to);
    append(&files->readable, copy->folder);
    if (copy->group == 0)
        return;
    files->groups = xrealloc(files->groups, (files->group_count + 1) * sizeof *files->groups);
    files->groups[files->group_count++] = copy->group;
}

static int refuse_copy(const char *own, struct text *problem)
{
    int error = errno;

    text_add_quoted(problem, span_of(own));
    text_printf(problem, " cannot be copied for a bot: %s",
                error == EFBIG ? "it is too large; give the bot a folder of its own"
                               : strerror(error));
    errno = error;
    return -1;
}

static int settle_copies(struct settling *settling, struct text *problem)
{
    for (size_t i = 0; settling->own != NULL && settling->own[i] != NULL; i++) {
        const struct program_copy *copy =
            program_copy_find(&settling->programs->copies, settling->own[i]);

        if (copy == NULL)
            return refuse_copy(settling->own[i], problem);
        use_copy(settling->files, copy);
    }
    return 0;
}

static char *find_program(const char *base, const char *name)
{
    char path[PATH_MAX];

    if (strchr(name, '/') == NULL && process_find_program(name, path) == 0)
        return xstrdup(path);
    return absolute_path(base, name);
}

/* A store is not even entered to look for a program in it. */
static int refuse_private(const char *path, struct text *problem)
{
    text_add_quoted(problem, span_of(path));
    text_add(problem, " is in the store of a tournament or of a daemon, which no bot may read");
    errno = EACCES;
    return -1;
}

static int settle(struct settling *settling, const char *const *argv, struct text *problem)
{
    struct program_files *files = settling->files;
    char *real;
    int failed;

    append(&files->argv, argv[0]);
    for (size_t i = 1; argv[i] != NULL; i++)
        append(&files->argv, argv[i]);
    replace(&files->argv[0], find_program(settling->base, files->argv[0]));
    if (settling->has_folder && directory_is_private(settling->base))
        return refuse_private(settling->base, problem);
    real = realpath(files->argv[0], NULL);
    failed = real != NULL && directory_is_private(real) ? refuse_private(real, problem) : 0;
    free(real);
    if (failed != 0)
        return -1;
    if (settling->has_folder)
        append(&settling->own, settling->base);
    settle_program(settling);
    if (!settling->has_folder)
        settle_arguments(settling);
    return settle_copies(settling, problem);
}

static struct program_files *program_files_settle(struct program_list *programs,
                                                  const struct process_spec *spec,
                                                  struct text *problem)
{
    struct settling settling = {
        .programs = programs,
        .base = realpath(spec->folder != NULL ? spec->folder : ".", NULL),
        .has_folder = spec->folder != NULL && !spec->is_folder_shared,
    };

    if (settling.base == NULL) {
        text_printf(problem, "cannot find the folder of a bot: %s", strerror(errno));
        return NULL;
    }
    settling.files = xcalloc(1, sizeof *settling.files);
    if (settle(&settling, spec->argv, problem) != 0) {
        program_files_free(settling.files);
        settling.files = NULL;
    }
    list_free(settling.own);
    free(settling.base);
    return settling.files;
}

/* The arguments and the folders in one string. */
static char *key_of(const struct process_spec *spec)
{
    const char *folder = spec->folder != NULL ? spec->folder : "";
    char here[PATH_MAX] = "";
    size_t size = sizeof here + strlen(folder) + 3;
    struct text key;
    char *buffer;

    (void)getcwd(here, sizeof here);
    for (size_t i = 0; spec->argv[i] != NULL; i++)
        size += strlen(spec->argv[i]) + 1;
    buffer = xcalloc(size, 1);
    text_start(&key, buffer, size);
    text_add(&key, here);
    text_add(&key, spec->is_folder_shared ? "\n" : "\n\n");
    text_add(&key, folder);
    for (size_t i = 0; spec->argv[i] != NULL; i++) {
        text_add_char(&key, '\n');
        text_add(&key, spec->argv[i]);
    }
    return buffer;
}

static struct program_files *look_up(const struct program_list *programs, const char *key)
{
    struct program_files *files = programs != NULL ? programs->first : NULL;

    while (files != NULL && strcmp(files->key, key) != 0)
        files = files->next;
    return files;
}

/* Called at each start of a program, so finding it again must be quick. */
const struct program_files *program_files_find(struct program_list *programs,
                                               const struct process_spec *spec,
                                               struct text *problem)
{
    char *key = key_of(spec);
    struct program_files *files = look_up(programs->lent, key);

    if (files == NULL)
        files = look_up(programs, key);
    if (files == NULL && (files = program_files_settle(programs, spec, problem)) != NULL) {
        files->key = key;
        files->next = programs->first;
        programs->first = files;
        return files;
    }
    free(key);
    return files;
}
