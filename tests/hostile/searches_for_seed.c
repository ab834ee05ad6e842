/* Searches the referee's arguments, environment and memory for the seed. */

#include "attack.h"

#define SEED "the-seed-of-this-match"

static char bytes[1 << 16];

/* Searches the start of a file in the referee's folder of /proc. */
static void search_file(const char *name)
{
    int fd = open_proc(referee_pid(), name);
    ssize_t length = -1;

    if (!note_result("", fd))
        return;
    length = read(fd, bytes, sizeof bytes);
    if (length > 0 && memmem(bytes, (size_t)length, SEED, strlen(SEED)) != NULL)
        (void)note_result(name, 0);
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

    if (!note_result("", mem) || file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%lx-%lx rw", &start, &end) != 2)
            continue;
        for (; start < end && end - start < (64UL << 20); start += sizeof bytes) {
            ssize_t length = pread(mem, bytes, sizeof bytes, (off_t)start);

            if (length > 0 && memmem(bytes, (size_t)length, SEED, strlen(SEED)) != NULL)
                (void)note_result("the seed in memory", 0);
        }
    }
}

int main(void)
{
    start_attack();
    search_file("cmdline");
    search_file("environ");
    search_memory();
    report_and_keep_playing();
}
