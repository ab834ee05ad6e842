/* Preloaded into a worker to make it lie: every log after the first is replaced by the first, when
 * it gets its name. If LIE_DEAF is set, and the name of the worker begins with it, the worker never
 * finds its name in a list, so it plays on when it is shut out. */

#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int rename_fn(const char *from, const char *to);

static void copy(const char *from, const char *to)
{
    char bytes[65536];
    int in = open(from, O_RDONLY);
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    ssize_t got;

    while (in >= 0 && out >= 0 && (got = read(in, bytes, sizeof bytes)) > 0) {
        if (write(out, bytes, (size_t)got) != got)
            break;
    }
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
}

int strcmp(const char *one, const char *other);

int strcmp(const char *one, const char *other)
{
    const char *deaf = getenv("LIE_DEAF");
    size_t i = 0;

    while (one[i] != '\0' && one[i] == other[i])
        i++;
    if (one[i] == other[i] && deaf != NULL && strncmp(one, deaf, strlen(deaf)) == 0)
        return 1;
    return (unsigned char)one[i] - (unsigned char)other[i];
}

int rename(const char *from, const char *to);

int rename(const char *from, const char *to)
{
    static const char ending[] = ".ndjson.zst";
    rename_fn *real;
    void *found = dlsym(RTLD_NEXT, "rename");
    const char *kept = getenv("LIE_FILE");
    size_t length = strlen(to);

    memcpy(&real, &found, sizeof real);
    if (kept != NULL && length > sizeof ending &&
        strcmp(to + length - sizeof ending + 1, ending) == 0) {
        if (access(kept, F_OK) == 0)
            copy(kept, from);
        else
            copy(from, kept);
    }
    return real(from, to);
}
