/* Tries to replace its own program for its next match. */

#include "attack.h"

#include <limits.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

static int write_copy(const char *path)
{
    int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    int to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    struct stat status;

    if (from < 0 || to < 0 || fstat(from, &status) != 0)
        return -1;
    return sendfile(to, from, NULL, (size_t)status.st_size) > 0 && write(to, "x", 1) == 1 ? 0 : -1;
}

int main(int argc, char **argv)
{
    char path[PATH_MAX];

    start_attack();
    (void)note_result("its own program", open(argv[0], O_WRONLY | O_CLOEXEC));
    (void)snprintf(path, sizeof path, "%s.new", argc > 0 ? argv[0] : "");
    if (note_result("", write_copy(path)))
        (void)note_result("another program under its name", rename(path, argv[0]));
    report_and_keep_playing();
}
