/* A line is the time, the deals and the line of a rating. Nothing follows from the file, so it has
 * no checksums and is not synced. A line that a crash has torn is passed over, and what is written
 * next begins on a line of its own. */

#include "serve/ladder/ladder_history.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_BYTES 200
#define DAY_S 86400

struct ladder_history {
    char *path;
    struct ladder_moment *moments;
    unsigned count;
    unsigned written; /* how many of them are in the file */
    unsigned *last;   /* by version: the place of its last moment */
    unsigned version_count;
    bool is_full;
};

static unsigned *find_last(const struct ladder_history *history, const char *version)
{
    for (unsigned i = 0; i < history->version_count; i++) {
        if (strcmp(history->moments[history->last[i]].rating.version, version) == 0)
            return &history->last[i];
    }
    return NULL;
}

static void add(struct ladder_history *history, const struct ladder_moment *moment)
{
    unsigned *last = find_last(history, moment->rating.version);

    if (last == NULL) {
        history->last =
            xrealloc(history->last, (history->version_count + 1) * sizeof *history->last);
        last = &history->last[history->version_count++];
    }
    *last = history->count;
    if ((history->count & (history->count - 1)) == 0)
        history->moments =
            xrealloc(history->moments, 2 * (history->count + 1UL) * sizeof *history->moments);
    history->moments[history->count++] = *moment;
}

static bool read_line(struct ladder_moment *moment, const char *line)
{
    struct span rest = span_of(line);
    long time_s, deals;

    if (span_read_number(span_cut_word(&rest), 0, LONG_MAX, &time_s) != 0 ||
        span_read_number(span_cut_word(&rest), 0, UINT_MAX, &deals) != 0 || rest.start == NULL)
        return false;
    moment->time_s = time_s;
    moment->deals = (unsigned)deals;
    return ladder_rating_read(&moment->rating, rest.start) == 0 && isfinite(moment->rating.points);
}

static void read_file(struct ladder_history *history, FILE *file)
{
    char line[LINE_BYTES];
    struct ladder_moment moment;

    while (fgets(line, sizeof line, file) != NULL) {
        char *end = strchr(line, '\n');

        if (end == NULL)
            continue;
        *end = '\0';
        if (read_line(&moment, line))
            add(history, &moment);
    }
    history->written = history->count;
}

struct ladder_history *ladder_history_open(const char *path)
{
    struct ladder_history *history = xcalloc(1, sizeof *history);
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;

    history->path = xstrdup(path);
    if (file != NULL && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size <= LADDER_HISTORY_BYTES_MAX)
        read_file(history, file);
    if (file != NULL)
        (void)fclose(file);
    else if (fd >= 0)
        close(fd);
    return history;
}

void ladder_history_free(struct ladder_history *history)
{
    if (history == NULL)
        return;
    free(history->path);
    free(history->moments);
    free(history->last);
    free(history);
}

void ladder_history_note(struct ladder_history *history, const struct ladder_rating *rating,
                         unsigned deals, int64_t now_s)
{
    const unsigned *last = find_last(history, rating->version);
    const struct ladder_moment *before = last != NULL ? &history->moments[*last] : NULL;
    struct ladder_moment moment = {.time_s = now_s, .deals = deals, .rating = *rating};

    if (history->is_full || !isfinite(rating->points))
        return;
    if (before == NULL || deals > before->deals + before->deals / 4 ||
        now_s >= before->time_s + DAY_S)
        add(history, &moment);
}

/* Returns whether there is room for more. */
static bool print_moments(const struct ladder_history *history, FILE *file, off_t length)
{
    if (length > 0)
        (void)fputc('\n', file);
    for (unsigned i = history->written; i < history->count; i++) {
        const struct ladder_moment *moment = &history->moments[i];
        char line[LINE_BYTES];
        struct text text;

        text_start(&text, line, sizeof line);
        ladder_rating_write(&text, &moment->rating);
        fprintf(file, "%lld %u %s\n", (long long)moment->time_s, moment->deals, line);
    }
    return length + (off_t)(history->count - history->written + 1) * LINE_BYTES <
           LADDER_HISTORY_BYTES_MAX;
}

int ladder_history_write(struct ladder_history *history)
{
    int fd;
    FILE *file;
    struct stat status;
    int result = 0;

    if (history->written == history->count)
        return 0;
    fd = open(history->path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
              0644);
    file = fd >= 0 && fstat(fd, &status) == 0 ? fdopen(fd, "a") : NULL;
    if (file == NULL) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    history->is_full = !print_moments(history, file, status.st_size);
    result = ferror(file) ? -1 : 0;
    if (fclose(file) != 0)
        result = -1;
    if (result == 0)
        history->written = history->count;
    return result;
}

const struct ladder_moment *ladder_history_list(const struct ladder_history *history,
                                                unsigned *count)
{
    *count = history->count;
    return history->moments;
}
