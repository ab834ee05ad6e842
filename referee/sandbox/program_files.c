/* A program's own folder is the one that it is given; without one it is the folder of each argument
 * that is a file. The interpreter, found in PATH, may be installed outside of the system's folders
 * (a virtual environment, a home): then the program may read its installation as well.
 *
 * The program starts in its own folder, so arguments that are files get absolute paths first. If it
 * has a user of its own that cannot read a folder, a copy takes its place in all of this. */

#include "sandbox/program_files.h"

#include "base/memory.h"
#include "sandbox/landlock.h"
#include "sandbox/scratch_dir.h"
#include "sandbox/process.h"
#include "sandbox/program_copy.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    free(files->folder);
    free(files->key);
    free(files);
}

void program_files_close(struct program_list *programs)
{
    while (programs->first != NULL) {
        struct program_files *files = programs->first;

        programs->first = files->next;
        if (files->group != 0)
            uid_pool_give_back(programs->uids, files->group);
        program_files_free(files);
    }
    if (programs->root != NULL) {
        (void)scratch_dir_remove(programs->root);
        close(programs->root_fd);
    }
    free(programs->root);
    programs->root = NULL;
}

/* The arguments and the folders in one string. */
static char *key_of(const char *const *argv, const char *here, const char *folder)
{
    size_t size = strlen(here) + strlen(folder) + 2;
    struct text key;
    char *buffer;

    for (size_t i = 0; argv[i] != NULL; i++)
        size += strlen(argv[i]) + 1;
    buffer = xcalloc(size, 1);
    text_start(&key, buffer, size);
    text_add(&key, here);
    text_add_char(&key, '\n');
    text_add(&key, folder);
    for (size_t i = 0; argv[i] != NULL; i++) {
        text_add_char(&key, '\n');
        text_add(&key, argv[i]);
    }
    return buffer;
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

static bool is_readable_already(const struct program_files *files, const char *path)
{
    for (size_t i = 0; files->readable != NULL && files->readable[i] != NULL; i++) {
        if (landlock_is_below(path, files->readable[i]))
            return true;
    }
    return false;
}

/* Adds the folder of a file, or a folder itself; of a folder that holds too much only the file. */
static void add_own(struct program_files *files, const char *path)
{
    char *real = realpath(path, NULL);
    struct stat status;
    char *end;

    if (real != NULL && stat(real, &status) == 0) {
        char *folder = xstrdup(real);

        if (!S_ISDIR(status.st_mode) && (end = strrchr(folder, '/')) != NULL)
            end[end == folder] = '\0';
        if (landlock_is_broad(folder))
            replace(&folder, xstrdup(real));
        if (!is_readable_already(files, folder) && !landlock_is_broad(folder) &&
            !(landlock_is_system(folder) && program_copy_is_reachable(real)))
            append(&files->readable, folder);
        free(folder);
    }
    free(real);
}

/* PREFIX of PREFIX/bin/program; NULL if it is not in such a folder. */
static char *installation_of(const char *program)
{
    static const char *const names[] = {"/bin", "/sbin", "/shims"};
    char *prefix = xstrdup(program);
    char *end = strrchr(prefix, '/');

    if (end != NULL)
        *end = '\0';
    end = strrchr(prefix, '/');
    for (size_t i = 0; end != NULL && end != prefix && i < ARRAY_LEN(names); i++) {
        if (strcmp(end, names[i]) == 0) {
            *end = '\0';
            return prefix;
        }
    }
    free(prefix);
    return NULL;
}

/* Whether our PATH has the folder of that program. */
static bool is_in_path(const char *program)
{
    const char *folders = getenv("PATH");
    struct span rest = span_of(folders != NULL ? folders : LANDLOCK_PATH);
    size_t length = (size_t)(strrchr(program, '/') - program);

    while (rest.start != NULL) {
        struct span folder = span_cut(&rest, ':');

        if (folder.length == length && strncmp(folder.start, program, length) == 0)
            return true;
    }
    return false;
}

/* A program that cannot reach the interpreter of our PATH gets the one of the system, if there is
 * one. */
static void use_system_program(struct program_files *files)
{
    const char *name = strrchr(files->argv[0], '/') + 1;
    struct span rest = span_of(LANDLOCK_PATH);
    struct text note;

    while (rest.start != NULL) {
        struct span folder = span_cut(&rest, ':');
        char path[PATH_MAX];

        (void)snprintf(path, sizeof path, "%.*s/%s", (int)folder.length, folder.start, name);
        if (access(path, X_OK) == 0) {
            text_start(&note, files->note, sizeof files->note);
            text_add_quoted(&note, span_of(files->argv[0]));
            text_printf(&note, " cannot be read by all users, so contained bots run %s", path);
            replace(&files->argv[0], xstrdup(path));
            return;
        }
    }
}

/* Returns whether the program is in a folder of its own. */
static bool settle_program(struct program_files *files, bool has_own_user)
{
    char *real = realpath(files->argv[0], NULL);
    char *prefix = NULL;
    bool is_tool = real != NULL && (is_in_path(files->argv[0]) || landlock_is_system(real));

    if (is_tool && has_own_user && !is_readable_already(files, real) &&
        !program_copy_is_reachable(real))
        use_system_program(files);
    else if (is_tool && !landlock_is_system(files->argv[0]))
        prefix = installation_of(files->argv[0]);
    if (prefix != NULL && !landlock_is_broad(prefix))
        add_own(files, prefix);
    else if (!is_tool)
        add_own(files, files->argv[0]);
    free(prefix);
    free(real);
    return !is_tool;
}

static void settle_arguments(struct program_files *files, const char *base)
{
    for (size_t i = 1; files->argv[i] != NULL; i++) {
        char *path = absolute_path(base, files->argv[i]);

        if (files->argv[i][0] != '-' && access(path, F_OK) == 0) {
            add_own(files, path);
            replace(&files->argv[i], path);
        } else {
            free(path);
        }
    }
}

/* Where it starts by default: where its files are. */
static void settle_folder(struct program_files *files, bool is_program_own)
{
    size_t count = length_of(files->readable);
    size_t place = is_program_own || count == 0 ? 0 : count - 1;
    struct stat status;

    if (count > 0 && stat(files->readable[place], &status) == 0 && S_ISDIR(status.st_mode))
        files->folder = xstrdup(files->readable[place]);
}

static void move_argument(char **argument, const char *from, const char *to)
{
    char *real = realpath(*argument, NULL);
    char *moved;

    if (real != NULL && landlock_is_below(real, from) &&
        asprintf(&moved, "%s%s", to, real + strlen(from)) >= 0)
        replace(argument, moved);
    free(real);
}

static int copy_one(struct program_list *programs, struct program_files *files, char **own)
{
    char *to;
    int failed;

    if (programs->root == NULL)
        programs->root = scratch_dir_make_root(scratch_dir_place(true), &programs->root_fd);
    if (files->group == 0)
        files->group = uid_pool_take(programs->uids);
    if (programs->root == NULL || files->group == 0 ||
        asprintf(&to, "%s/copy-%u", programs->root, ++programs->copies) < 0)
        return -1;
    failed = program_copy_make(*own, to, files->group);
    for (size_t i = 0; failed == 0 && files->argv[i] != NULL; i++)
        move_argument(&files->argv[i], *own, to);
    if (failed == 0 && files->folder != NULL)
        move_argument(&files->folder, *own, to);
    replace(own, to);
    return failed;
}

/* Copies what the user of the program cannot read. */
static int settle_copies(struct program_list *programs, struct program_files *files,
                         struct text *problem)
{
    for (size_t i = 0; files->readable != NULL && files->readable[i] != NULL; i++) {
        char *own = xstrdup(files->readable[i]);
        bool is_open =
            landlock_is_system(own) ? program_copy_is_reachable(own) : program_copy_is_open(own);
        int failed = is_open ? 0 : copy_one(programs, files, &files->readable[i]);
        int error = errno;

        if (failed != 0) {
            text_add(problem, "the folder ");
            text_add_quoted(problem, span_of(own));
            text_printf(problem,
                        " of a bot is closed to other users and cannot be copied for it: %s",
                        error == EFBIG ? "it is too large; give the bot a folder of its own"
                                       : strerror(error));
        }
        free(own);
        errno = error;
        if (failed != 0)
            return -1;
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

static struct program_files *program_files_new(const char *const *argv, const char *base,
                                               bool has_folder, bool has_own_user)
{
    struct program_files *files = xcalloc(1, sizeof *files);
    bool is_program_own;

    append(&files->argv, argv[0]);
    for (size_t i = 1; argv[i] != NULL; i++)
        append(&files->argv, argv[i]);
    replace(&files->argv[0], find_program(base, files->argv[0]));
    if (has_folder)
        append(&files->readable, base);
    is_program_own = settle_program(files, has_own_user);
    settle_arguments(files, base);
    if (has_folder)
        files->folder = xstrdup(base);
    else
        settle_folder(files, is_program_own);
    return files;
}

static struct program_files *program_files_settle(struct program_list *programs,
                                                  const char *const *argv, const char *folder,
                                                  struct text *problem)
{
    char *base = realpath(folder != NULL ? folder : ".", NULL);
    struct program_files *files;

    if (base == NULL) {
        text_printf(problem, "cannot find the folder of a bot: %s", strerror(errno));
        return NULL;
    }
    files = program_files_new(argv, base, folder != NULL, programs->uids != NULL);
    free(base);
    if (programs->uids == NULL || settle_copies(programs, files, problem) == 0)
        return files;
    program_files_free(files);
    return NULL;
}

/* Called at each start of a program, so finding it again must be quick. */
const struct program_files *program_files_find(struct program_list *programs,
                                               const char *const *argv, const char *folder,
                                               struct text *problem)
{
    char here[PATH_MAX] = "";
    struct program_files *files = programs->first;
    char *key;

    (void)getcwd(here, sizeof here);
    key = key_of(argv, here, folder != NULL ? folder : "");
    while (files != NULL && strcmp(files->key, key) != 0)
        files = files->next;
    if (files == NULL)
        files = program_files_settle(programs, argv, folder, problem);
    if (files == NULL || files->key != NULL) {
        free(key);
        return files;
    }
    files->key = key;
    files->next = programs->first;
    programs->first = files;
    return files;
}
