/* The view is a block of lines at the bottom of the terminal. To redraw it, the cursor moves up by
 * as many lines as it had, and everything below is erased. Lines are cut to the width of the
 * terminal, because one that wraps counts as one line but takes two. */

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
#define VIEW_BYTES 8192
#define WIDTH_MAX 200

struct progress {
    struct progress_view view;
    struct event *on_time;
    bool is_terminal;
    int64_t next_line_us;
    unsigned width;
    unsigned lines; /* of the view that is on the screen */
    struct text screen;
    char bytes[VIEW_BYTES];
};

void progress_add_line(struct progress *progress, const char *format, ...)
{
    char line[WIDTH_MAX + 1];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, progress->width < sizeof line ? progress->width : sizeof line, format,
              arguments);
    va_end(arguments);
    text_add(&progress->screen, line);
    text_add_char(&progress->screen, '\n');
    progress->lines++;
}

void progress_add_bar(struct progress *progress, unsigned long done, unsigned long all)
{
    char bar[WIDTH_MAX + 1];
    unsigned width = progress->width;
    unsigned length = width > 60 ? 50 : width > 20 ? width - 10 : 10;

    memset(bar, '.', length);
    memset(bar, '#', all > 0 ? length * done / all : 0);
    bar[length] = '\0';
    progress_add_line(progress, "[%s] %lu %%", bar, all > 0 ? 100 * done / all : 0);
}

static void erase(struct progress *progress)
{
    if (progress->lines > 0)
        fprintf(stderr, "\033[%uA\r\033[J", progress->lines);
    progress->lines = 0;
}

static void draw(struct progress *progress)
{
    struct winsize size;
    char bytes[WIDTH_MAX + 1];
    struct text line;

    progress->width = 80;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
        progress->width = size.ws_col;
    erase(progress);
    text_start(&progress->screen, progress->bytes, sizeof progress->bytes);
    if (progress->view.draw != NULL) {
        progress->view.draw(progress->view.context, progress);
    } else {
        text_start(&line, bytes, sizeof bytes);
        progress->view.summarize(progress->view.context, &line);
        if (line.length > 0)
            progress_add_line(progress, "%s", bytes);
    }
    fwrite(progress->bytes, 1, progress->screen.length, stderr);
}

static void on_time(evutil_socket_t fd, short what, void *context)
{
    struct progress *progress = context;
    char bytes[WIDTH_MAX + 1];
    struct text line;

    (void)fd;
    (void)what;
    if (progress->is_terminal) {
        draw(progress);
        return;
    }
    if (clock_now_us() < progress->next_line_us)
        return;
    progress->next_line_us = clock_now_us() + LINE_EVERY_US;
    text_start(&line, bytes, sizeof bytes);
    progress->view.summarize(progress->view.context, &line);
    if (line.length > 0)
        message_say("%s", bytes);
}

struct progress *progress_new(struct event_base *base, const struct progress_view *view)
{
    struct progress *progress = xcalloc(1, sizeof *progress);
    struct timeval interval = {.tv_usec = DRAW_MS * 1000};

    progress->view = *view;
    progress->is_terminal = isatty(STDERR_FILENO);
    progress->next_line_us = clock_now_us() + LINE_FIRST_US;
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
    free(progress);
}

void progress_say(struct progress *progress, const char *message)
{
    if (progress != NULL)
        erase(progress);
    message_say("%s", message);
}
