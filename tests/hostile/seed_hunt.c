/* Looks for the seed wherever a process can look: in arguments and in memory. */

#include "attack.h"

#define SEED "the-seed-of-this-match"

static char bytes[1 << 16];

/* Whether the file has the seed in its first pieces. */
static void search(const char *name)
{
    int fd = open_proc(referee_pid(), name);
    ssize_t length = -1;

    if (!tried("", fd))
        return;
    length = read(fd, bytes, sizeof bytes);
    if (length > 0 && memmem(bytes, (size_t)length, SEED, strlen(SEED)) != NULL)
        (void)tried(name, 0);
    (void)close(fd);
}

static void search_memory(void)
{
    char line[512];
    int mem = open_proc(referee_pid(), "mem");
    int maps = open_proc(referee_pid(), "maps");
    FILE *file = maps >= 0 ? fdopen(maps, "r") : NULL;
    unsigned long start;
    unsigned long end;

    if (!tried("", mem) || file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%lx-%lx rw", &start, &end) != 2)
            continue;
        for (; start < end && end - start < (64UL << 20); start += sizeof bytes) {
            ssize_t length = pread(mem, bytes, sizeof bytes, (off_t)start);

            if (length > 0 && memmem(bytes, (size_t)length, SEED, strlen(SEED)) != NULL)
                (void)tried("the seed in memory", 0);
        }
    }
}

int main(void)
{
    await_moment();
    search("cmdline");
    search("environ");
    search_memory();
    conclude_and_play_on();
}
