/* Why a program could not be run. The kernel has one error number for several mistakes, so the file
 * is looked at again: ENOENT for a file that exists means its interpreter, and a script that was
 * written on Windows asks for an interpreter whose name ends with a carriage return. */

#include "base/escape.h"
#include "sandbox/landlock.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"
#include "sandbox/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_LINE_BYTES 256

/* Reads the beginning of the file. Returns its length, or -1. */
static ssize_t read_beginning(const char *path, char bytes[FIRST_LINE_BYTES])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t length = -1;

    if (fd >= 0) {
        length = read(fd, bytes, FIRST_LINE_BYTES);
        close(fd);
    }
    return length;
}

/* The interpreter that a script names in its first line; empty if it is not a script. */
static struct span find_interpreter(const char *bytes, size_t length)
{
    struct span rest = {bytes, length};
    struct span line = span_cut(&rest, '\n');
    size_t start = 2;
    size_t end;

    if (line.length < 2 || memcmp(line.start, "#!", 2) != 0)
        return (struct span){bytes, 0};
    while (start < line.length && (line.start[start] == ' ' || line.start[start] == '\t'))
        start++;
    end = start;
    while (end < line.length && line.start[end] != ' ' && line.start[end] != '\t')
        end++;
    return (struct span){line.start + start, end - start};
}

/* Whether its author may be a stranger. */
static bool is_contained(const struct process_spec *spec)
{
    return spec->sandbox != NULL && sandbox_level(spec->sandbox) != SANDBOX_NONE;
}

/* Whether a script of a contained program asks for an interpreter that is not a part of the system:
 * then nothing is said about whether that exists, because its author may be a stranger. */
static bool explain_foreign(struct text *text, const struct process_spec *spec, const char *program)
{
    char bytes[FIRST_LINE_BYTES], path[FIRST_LINE_BYTES + 1] = "";
    ssize_t length = is_contained(spec) ? read_beginning(program, bytes) : -1;
    struct span interpreter = find_interpreter(bytes, length > 0 ? (size_t)length : 0);

    if (interpreter.length == 0 || interpreter.start[0] != '/')
        return false;
    memcpy(path, interpreter.start, interpreter.length);
    if (landlock_is_system(path) && strstr(path, "/../") == NULL)
        return false;
    text_add(text, "its interpreter is not a part of the system");
    return true;
}

static void explain_interpreter(struct text *text, const char *program)
{
    char bytes[FIRST_LINE_BYTES];
    ssize_t length = read_beginning(program, bytes);
    struct span interpreter = find_interpreter(bytes, length > 0 ? (size_t)length : 0);

    if (interpreter.length == 0) {
        text_add(text, "it needs a loader that is not on this machine: it was built for another "
                       "system");
        return;
    }
    if (interpreter.start[interpreter.length - 1] == '\r')
        text_add(text, "its first line ends with a carriage return (Windows line ends), and ");
    text_add(text, "its interpreter \"");
    escape_add(text, interpreter);
    text_add(text, "\" does not exist");
}

static void explain_missing(struct text *text, const char *program)
{
    if (strchr(program, '/') == NULL)
        text_add(text, "there is no program of that name in PATH");
    else if (access(program, F_OK) != 0)
        text_add(text, "there is no such file");
    else
        explain_interpreter(text, program);
}

static void explain_forbidden(struct text *text, const char *program)
{
    struct stat status;

    if (stat(program, &status) == 0 && S_ISDIR(status.st_mode))
        text_add(text, "it is a folder");
    else if (stat(program, &status) == 0 && (status.st_mode & 0111) == 0)
        text_add(text, "it is not executable (chmod +x makes it so)");
    else
        text_add(text,
                 "the permissions of the file, of its folder or of its interpreter forbid it");
}

static void explain_format(struct text *text, const char *program)
{
    char bytes[FIRST_LINE_BYTES];
    ssize_t length = read_beginning(program, bytes);

    if (length == 0)
        text_add(text, "the file is empty");
    else if (length > 4 && memcmp(bytes, "\177ELF", 4) == 0)
        text_add(text, "it is a program for another kind of machine");
    else
        text_add(text, "it is neither a program nor a script that begins with #!");
}

/* The program as we see it: the child was in another folder when it was to run it. */
static void find_program(struct text *path, const struct process_spec *spec)
{
    const char *name = spec->argv[0];

    if (spec->folder != NULL && name[0] != '/' && strchr(name, '/') != NULL) {
        text_add(path, spec->folder);
        text_add_char(path, '/');
    }
    text_add(path, name);
}

static void explain_program(struct text *text, const char *program, int error)
{
    if (error == ENOENT || error == ENOTDIR)
        explain_missing(text, program);
    else if (error == EACCES)
        explain_forbidden(text, program);
    else if (error == ENOEXEC)
        explain_format(text, program);
    else
        text_add(text, strerror(error));
}

/* Where the folder of a contained program is does not concern its author. */
static const char *own_name(const struct process_spec *spec)
{
    size_t length = spec->folder != NULL && is_contained(spec) ? strlen(spec->folder) : 0;

    if (length > 0 && strncmp(spec->argv[0], spec->folder, length) == 0 &&
        spec->argv[0][length] == '/')
        return spec->argv[0] + length + 1;
    return spec->argv[0];
}

void spawn_explain(struct text *text, const struct process_spec *spec, const struct spawn *spawn)
{
    char program[PATH_MAX];
    struct text path;

    text_add_quoted(text, span_of(own_name(spec)));
    text_add(text, " could not be run: ");
    if (spawn->is_folder_wrong) {
        text_add(text, "its folder ");
        text_add_quoted(text, span_of(spec->folder));
        text_add(text, " cannot be entered: ");
        text_add(text, strerror(spawn->error));
    } else {
        text_start(&path, program, sizeof program);
        find_program(&path, spec);
        if (!explain_foreign(text, spec, program))
            explain_program(text, program, spawn->error);
    }
}
