/* The view is a block of lines at the bottom of the terminal. To draw it anew the cursor goes up as many
 * lines as it had, and everything below is erased. Lines are cut to the width of the terminal, because
 * one that wraps would be counted as one and drawn as two. */

#include "cli/tournament/progress.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/message.h"

#include <event2/event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define DRAW_MS 500
#define LINE_FIRST_US 2000000
#define LINE_EVERY_US 30000000
#define ROWS_MAX 12
#define WIDTH_MAX 200

/* A bot in the standings so far. */
struct row {
    unsigned bot;
    unsigned matches;
    unsigned rounds;
    unsigned faults;
    double wins;
    long halves;
};

struct progress {
    const struct progression *progression;
    const struct store *store;
    const struct coordinator *coordinator;
    struct event *on_time;
    bool is_live;
    unsigned lines; /* of the view that is on the screen */
    int64_t start_us;
    int64_t next_line_us;
    unsigned long start_decided;
    unsigned long decided;
    unsigned long all;
    struct row *rows;
    char *screen; /* the view that is being put together */
    size_t length;
    size_t capacity;
};

/* Putting the view together. */

static void add_line(struct progress *progress, unsigned width, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_line(struct progress *progress, unsigned width, const char *format, ...)
{
    char line[WIDTH_MAX + 1];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, width < sizeof line ? width : sizeof line, format, arguments);
    va_end(arguments);
    if (progress->length + strlen(line) + 2 > progress->capacity) {
        progress->capacity = 2 * (progress->length + strlen(line) + 2);
        progress->screen = xrealloc(progress->screen, progress->capacity);
    }
    progress->length +=
        (size_t)snprintf(progress->screen + progress->length, strlen(line) + 2, "%s\n", line);
    progress->lines++;
}

static unsigned terminal_width(void)
{
    struct winsize size;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20)
        return 80;
    return size.ws_col;
}

static void write_duration(char words[32], double seconds)
{
    unsigned long whole = seconds > 0 ? (unsigned long)(seconds + 0.5) : 0;

    if (whole < 60)
        snprintf(words, 32, "%lu s", whole);
    else if (whole < 3600)
        snprintf(words, 32, "%lu min %lu s", whole / 60, whole % 60);
    else
        snprintf(words, 32, "%lu h %lu min", whole / 3600, whole % 3600 / 60);
}

static void count_result(struct row *rows, const struct result *result)
{
    unsigned winners = 0;

    for (unsigned seat = 0; seat < result->seats; seat++)
        winners += result->places[seat] == 1;
    for (unsigned seat = 0; seat < result->seats; seat++) {
        struct row *row = &rows[result->bots[seat]];

        row->matches++;
        row->rounds += result->rounds;
        row->halves += result->score_halves[seat];
        row->faults += result->faults[seat] != BOT_ANSWERED;
        if (result->places[seat] == 1)
            row->wins += 1.0 / winners;
    }
}

static double mean_of(const struct row *row)
{
    return row->rounds > 0 ? (double)row->halves / 2 / row->rounds : 1e9;
}

static int compare_rows(const void *one, const void *other)
{
    double a = mean_of(one);
    double b = mean_of(other);

    return (a > b) - (a < b);
}

static unsigned count_all(struct progress *progress)
{
    unsigned bots = store_bot_count(progress->store);
    size_t count;
    struct result *results = progression_results(progress->progression, &count);

    progress->rows = xrealloc(progress->rows, (bots + 1) * sizeof *progress->rows);
    memset(progress->rows, 0, (bots + 1) * sizeof *progress->rows);
    for (unsigned i = 0; i < bots; i++)
        progress->rows[i].bot = i;
    for (size_t i = 0; i < count; i++)
        count_result(progress->rows, &results[i]);
    free(results);
    qsort(progress->rows, bots, sizeof *progress->rows, compare_rows);
    return bots;
}

static void look(struct progress *progress)
{
    progress->decided = progression_decided(progress->progression);
    progress->all = progression_matches(progress->progression);
}

/* "120 of 600 matches, 14.2 a second, 34 s left" */
static void write_pace(const struct progress *progress, char words[120])
{
    double seconds = (double)(clock_now_us() - progress->start_us) / 1e6;
    double rate = seconds > 0 ? (double)(progress->decided - progress->start_decided) / seconds : 0;
    char left[32] = "";

    if (rate > 0)
        write_duration(left, (double)(progress->all - progress->decided) / rate);
    snprintf(words, 120, "%lu of %lu matches, %.1f a second%s%s%s", progress->decided,
             progress->all, rate, rate > 0 ? ", " : "", left, rate > 0 ? " left" : "");
}

static void add_bar(struct progress *progress, unsigned width)
{
    char bar[WIDTH_MAX + 1];
    unsigned length = width > 60 ? 50 : width > 20 ? width - 10 : 10;
    unsigned full = progress->all > 0 ? (unsigned)(length * progress->decided / progress->all) : 0;

    memset(bar, '.', length);
    memset(bar, '#', full);
    bar[length] = '\0';
    add_line(progress, width, "[%s] %lu %%", bar,
             progress->all > 0 ? 100 * progress->decided / progress->all : 0);
}

static void add_rows(struct progress *progress, unsigned width)
{
    unsigned bots = count_all(progress);

    add_line(progress, width, "%-32s %10s %7s %8s %7s", "bot", "score", "wins", "matches",
             "faults");
    for (unsigned i = 0; i < bots && i < ROWS_MAX; i++) {
        const struct row *row = &progress->rows[i];
        const char *name = store_bot(progress->store, row->bot)->name;

        if (row->matches == 0)
            add_line(progress, width, "%-32s %10s", name, "-");
        else
            add_line(progress, width, "%-32s %10.2f %5.1f %% %8u %7u%s", name, mean_of(row),
                     100 * row->wins / row->matches, row->matches, row->faults,
                     progression_is_out(progress->progression, row->bot) ? " out" : "");
    }
    if (bots > ROWS_MAX)
        add_line(progress, width, "... and %u more", bots - ROWS_MAX);
}

static void erase(struct progress *progress)
{
    if (progress->lines > 0)
        fprintf(stderr, "\033[%uA\r\033[J", progress->lines);
    progress->lines = 0;
}

static void draw(struct progress *progress)
{
    unsigned width = terminal_width();
    char pace[120];

    look(progress);
    write_pace(progress, pace);
    erase(progress);
    progress->length = 0;
    add_line(progress, width, "%s", store_name(progress->store));
    add_bar(progress, width);
    add_line(progress, width, "%s; %u at the tables%s", pace,
             progress->coordinator != NULL ? coordinator_playing(progress->coordinator) : 0,
             progress->coordinator != NULL && coordinator_is_waiting(progress->coordinator)
                 ? "; WAITING FOR THE DISK"
                 : "");
    add_rows(progress, width);
    fwrite(progress->screen, 1, progress->length, stderr);
}

static void print_line(struct progress *progress)
{
    char pace[120];

    if (clock_now_us() < progress->next_line_us)
        return;
    progress->next_line_us = clock_now_us() + LINE_EVERY_US;
    look(progress);
    write_pace(progress, pace);
    message_say("%s", pace);
}

static void on_time(evutil_socket_t fd, short what, void *context)
{
    struct progress *progress = context;

    (void)fd;
    (void)what;
    if (progress->is_live)
        draw(progress);
    else
        print_line(progress);
}

struct progress *progress_new(struct event_base *base, const struct progression *progression,
                              const struct store *store)
{
    struct progress *progress = xcalloc(1, sizeof *progress);
    struct timeval interval = {.tv_usec = DRAW_MS * 1000};

    progress->progression = progression;
    progress->store = store;
    progress->is_live = isatty(STDERR_FILENO);
    progress->start_us = clock_now_us();
    progress->next_line_us = progress->start_us + LINE_FIRST_US;
    progress->start_decided = progression_decided(progression);
    progress->on_time = event_new(base, -1, EV_PERSIST, on_time, progress);
    event_add(progress->on_time, &interval);
    return progress;
}

void progress_free(struct progress *progress)
{
    if (progress == NULL)
        return;
    erase(progress);
    event_free(progress->on_time);
    free(progress->rows);
    free(progress->screen);
    free(progress);
}

void progress_watch(struct progress *progress, const struct coordinator *coordinator)
{
    progress->coordinator = coordinator;
}

void progress_say(struct progress *progress, const char *words)
{
    if (progress != NULL)
        erase(progress);
    message_say("%s", words);
}
