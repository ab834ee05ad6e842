/* Puts another program in its own place, for its next match. */

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

    await_moment();
    (void)tried("its own program", open(argv[0], O_WRONLY | O_CLOEXEC));
    (void)snprintf(path, sizeof path, "%s.new", argc > 0 ? argv[0] : "");
    if (tried("", write_copy(path)))
        (void)tried("another program in its place", rename(path, argv[0]));
    conclude_and_play_on();
}
