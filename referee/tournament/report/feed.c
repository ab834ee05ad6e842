/* A block and its matches are flushed together, so that a reader never sees half of it.
 *
 * Tables are made from all results, which takes longer the more there are. So they are written at
 * most once per second, and take at most a twentieth of the time: after each writing the feed waits
 * nineteen times as long as that took. */

#include "tournament/report/feed.h"

#include "base/clock.h"
#include "base/directory_tree.h"
#include "base/memory.h"
#include "tournament/report/report_private.h"
#include "tournament/report/summary.h"
#include "wire/feed_line.h"

#include <errno.h>
#include <event2/event.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TABLES_PAUSE_US 1000000
#define TABLES_PAUSE_SHARE 19
#define ROTATIONS_MAX 32
#define DISK_STEP_BYTES (1 << 20) /* more on the disk is reported in steps */

struct feed {
    void (*on_closed)(void *context);
    void *context;
    bool is_closed;                        /* nobody reads it any more, or its end was written */
    const struct progression *progression; /* NULL until it has begun */
    const struct store *store;
    unsigned long decided; /* matches of blocks that count */
    unsigned long matches;
    int64_t disk_bytes;      /* that the store uses */
    int64_t told_disk_bytes; /* of them, when that was reported */
    struct event *on_hangup;
    struct event *on_tables;
    int64_t tables_after_us; /* not before that */
    bool *is_suspected;      /* by number of bot: a note has said so */
};

struct feed *feed_new(void (*on_closed)(void *context), void *context)
{
    struct feed *feed = xcalloc(1, sizeof *feed);

    feed->on_closed = on_closed;
    feed->context = context;
    return feed;
}

static void free_events(struct feed *feed)
{
    if (feed->on_hangup != NULL)
        event_free(feed->on_hangup);
    if (feed->on_tables != NULL)
        event_free(feed->on_tables);
    feed->on_hangup = NULL;
    feed->on_tables = NULL;
}

void feed_free(struct feed *feed)
{
    if (feed == NULL)
        return;
    free_events(feed);
    free(feed->is_suspected);
    free(feed);
}

/* The reader. */

static void close_feed(struct feed *feed)
{
    if (feed->is_closed)
        return;
    feed->is_closed = true;
    feed->on_closed(feed->context);
}

static void send_lines(struct feed *feed)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        close_feed(feed);
}

static void on_hangup(evutil_socket_t fd, short what, void *context)
{
    struct feed *feed = context;
    struct pollfd reader = {.fd = fd, .events = POLLOUT};

    (void)what;
    if (poll(&reader, 1, 0) > 0 && (reader.revents & (POLLERR | POLLHUP)) != 0)
        close_feed(feed);
    event_del(feed->on_hangup);
}

/* A block may take long, and without a reader it is played in vain: if stdout is a pipe or socket,
 * the feed notices at once that its other end is closed. */
static void watch_reader(struct feed *feed, struct event_base *base)
{
    struct stat status;

    if (fstat(STDOUT_FILENO, &status) != 0 ||
        !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)))
        return;
    feed->on_hangup = event_new(base, STDOUT_FILENO, EV_READ | EV_PERSIST, on_hangup, feed);
    event_add(feed->on_hangup, NULL);
}

/* Lines. */

static void put_line(const struct feed_line *line)
{
    char bytes[FEED_LINE_MAX + 1];
    struct text text;

    text_start(&text, bytes, sizeof bytes);
    feed_line_write(&text, line);
    puts(bytes);
}

void feed_note(struct feed *feed, const char *message)
{
    char bytes[FEED_LINE_MAX + 1];
    size_t length = 0;

    if (feed->is_closed)
        return;
    for (; message[length] != '\0' && length < FEED_LINE_MAX; length++)
        bytes[length] = message[length] >= ' ' && message[length] <= '~' ? message[length] : '?';
    put_line(&(struct feed_line){.kind = FEED_LINE_NOTE, .text = {bytes, length}});
    send_lines(feed);
}

/* Bots that are withdrawn take their matches with them, and a Swiss tournament finds out in each
 * round how many tables there are. A block that is decided but not published yet does not count
 * here. */
static void put_counts(struct feed *feed)
{
    const struct schedule *schedule = progression_schedule(feed->progression);
    unsigned long matches = progression_matches(feed->progression);

    if (feed->matches == matches && feed->on_tables != NULL)
        return;
    feed->matches = matches;
    feed->decided = 0;
    for (unsigned block = 1; block <= schedule_count(schedule); block++) {
        if (progression_block(feed->progression, block) == PROGRESSION_COUNTS &&
            !store_is_open(feed->store, block))
            feed->decided += schedule_rotations(schedule, schedule_block(schedule, block));
    }
    put_line(&(struct feed_line){
        .kind = FEED_LINE_BEGIN, .decided = (long)feed->decided, .matches = (long)feed->matches});
}

static void put_match(const struct feed *feed, const struct result *result)
{
    char seats[FEED_LINE_MAX];
    struct text text;

    text_start(&text, seats, sizeof seats);
    for (unsigned seat = 0; seat < result->seats; seat++) {
        enum bot_outcome fault = (enum bot_outcome)result->faults[seat];
        char score[24];

        snprintf(score, sizeof score, "%.1f", (double)result->score_halves[seat] / 2);
        feed_line_add_seat(
            &text, &(struct feed_line_seat){
                       .name = span_of(store_bot(feed->store, result->bots[seat])->name),
                       .place = result->places[seat],
                       .score = span_of(score),
                       .fault = span_of(fault == BOT_ANSWERED ? "-" : bot_outcome_name(fault)),
                   });
    }
    put_line(&(struct feed_line){.kind = FEED_LINE_MATCH,
                                 .block = result->block,
                                 .match = result->rotation + 1,
                                 .text = {seats, text.length}});
}

static void put_disk(struct feed *feed)
{
    feed->told_disk_bytes = feed->disk_bytes;
    put_line(&(struct feed_line){.kind = FEED_LINE_DISK, .bytes = (long)feed->disk_bytes});
}

/* The logs of a block that was published. */
static void add_disk(struct feed *feed, unsigned block)
{
    char *path = store_log_path(feed->store, block, 0);
    char *end = strrchr(path, '/');

    if (end != NULL)
        *end = '\0';
    feed->disk_bytes += directory_tree_disk(path);
    free(path);
    if (feed->disk_bytes - feed->told_disk_bytes >= DISK_STEP_BYTES)
        put_disk(feed);
}

void feed_idle(struct feed *feed, unsigned worker)
{
    if (feed->is_closed)
        return;
    put_line(&(struct feed_line){.kind = FEED_LINE_IDLE, .worker = (long)worker});
    send_lines(feed);
}

/* Finds the results of a block, by match; most of them came last. Returns how many there are. */
static unsigned find_results(const struct feed *feed, unsigned block,
                             const struct result *found[ROTATIONS_MAX])
{
    const struct schedule *schedule = progression_schedule(feed->progression);
    unsigned count = schedule_rotations(schedule, schedule_block(schedule, block));
    unsigned left = count;
    size_t at;
    const struct result *results = store_results(feed->store, &at);

    while (left > 0 && at-- > 0) {
        const struct result *result = &results[at];

        if (result->block != block || result->rotation >= count || found[result->rotation] != NULL)
            continue;
        found[result->rotation] = result;
        left--;
    }
    return count;
}

static void put_bots(const struct summary *summary)
{
    const struct standings *standings = summary_report(summary)->standings;

    for (unsigned i = 0; i < standings->count; i++) {
        const struct standing *row = &standings->rows[i];
        char faults[500];
        struct text text;

        text_start(&text, faults, sizeof faults);
        for (unsigned fault = 0; fault < BOT_OUTCOME_COUNT; fault++) {
            if (fault != BOT_ANSWERED && row->faults[fault] > 0)
                feed_line_add_fault(&text, bot_outcome_name((enum bot_outcome)fault),
                                    row->faults[fault]);
        }
        put_line(&(struct feed_line){.kind = FEED_LINE_BOT,
                                     .name = span_of(row->name),
                                     .matches = row->matches,
                                     .wins = row->places[0],
                                     .median_us = row->median_us,
                                     .p99_us = row->p99_us,
                                     .text = {faults, text.length}});
    }
}

/* A note about each bot that may know the cards, when it becomes suspicious. */
static void put_suspects(struct feed *feed, const struct summary *summary)
{
    const struct report *report = summary_report(summary);

    if (feed->is_suspected == NULL)
        feed->is_suspected = xcalloc(report->standings->count + 1, sizeof *feed->is_suspected);
    for (unsigned i = 0; i < report->standings->count; i++) {
        const struct standing *row = &report->standings->rows[i];
        char *warning;

        if (!row->peek.is_suspicious || feed->is_suspected[row->bot])
            continue;
        feed->is_suspected[row->bot] = true;
        warning = report_peek_warning(row, REPORT_ENGLISH);
        feed_note(feed, warning);
        free(warning);
    }
}

/* The tables. */

static int write_tables(struct feed *feed, bool is_last)
{
    int64_t start_us = clock_now_us();
    struct summary *summary = summary_new(feed->progression, feed->store, false);
    int result = summary_write_files(summary);
    int error = errno;
    int64_t pause_us;
    char message[200];

    if (result == 0)
        put_line(&(struct feed_line){.kind = FEED_LINE_STANDINGS});
    put_suspects(feed, summary);
    if (is_last)
        put_bots(summary);
    summary_free(summary);
    send_lines(feed);
    if (result != 0) {
        snprintf(message, sizeof message, "the tables could not be written: %s", strerror(error));
        feed_note(feed, message);
    }
    pause_us = TABLES_PAUSE_SHARE * (clock_now_us() - start_us);
    feed->tables_after_us =
        clock_now_us() + (pause_us > TABLES_PAUSE_US ? pause_us : TABLES_PAUSE_US);
    return result;
}

static void on_tables(evutil_socket_t fd, short what, void *context)
{
    struct feed *feed = context;

    (void)fd;
    (void)what;
    put_counts(feed);
    (void)write_tables(feed, false);
}

static void write_tables_soon(struct feed *feed)
{
    int64_t left_us = feed->tables_after_us - clock_now_us();
    struct timeval delay = {0};

    if (event_pending(feed->on_tables, EV_TIMEOUT, NULL))
        return;
    if (left_us > 0)
        delay = (struct timeval){.tv_sec = left_us / 1000000, .tv_usec = left_us % 1000000};
    event_add(feed->on_tables, &delay);
}

void feed_begin(struct feed *feed, struct event_base *base, const struct progression *progression,
                const struct store *store)
{
    feed->progression = progression;
    feed->store = store;
    feed->disk_bytes = directory_tree_disk(store_folder(store));
    put_counts(feed);
    put_disk(feed);
    feed->on_tables = evtimer_new(base, on_tables, feed);
    watch_reader(feed, base);
    send_lines(feed);
}

void feed_block(struct feed *feed, unsigned block)
{
    const struct result *found[ROTATIONS_MAX] = {NULL};
    unsigned count = find_results(feed, block, found);

    if (feed->is_closed)
        return;
    for (unsigned i = 0; i < count; i++) {
        if (found[i] != NULL)
            put_match(feed, found[i]);
    }
    if (progression_block(feed->progression, block) == PROGRESSION_COUNTS)
        feed->decided += count;
    put_line(&(struct feed_line){.kind = FEED_LINE_BLOCK,
                                 .block = block,
                                 .decided = (long)feed->decided,
                                 .matches = (long)feed->matches});
    add_disk(feed, block);
    send_lines(feed);
    write_tables_soon(feed);
}

int feed_end(struct feed *feed, enum coordinator_end end)
{
    static const char *const names[] = {
        [COORDINATOR_FINISHED] = "finished", [COORDINATOR_STOPPED] = "stopped",
        [COORDINATOR_ABORTED] = "stopped",   [COORDINATOR_PAUSED] = "paused",
        [COORDINATOR_FAILED] = "failed",
    };
    int result = 0;

    if (!feed->is_closed && feed->progression != NULL && end != COORDINATOR_FAILED &&
        end != COORDINATOR_ABORTED) {
        put_counts(feed);
        result = write_tables(feed, true);
        feed->disk_bytes = directory_tree_disk(store_folder(feed->store));
        put_disk(feed);
    }
    free_events(feed);
    if (feed->is_closed)
        return result;
    put_line(&(struct feed_line){.kind = FEED_LINE_END,
                                 .state = span_of(names[result == 0 ? end : COORDINATOR_FAILED])});
    (void)fflush(stdout);
    feed->is_closed = true;
    return result;
}
