/* Each line of the referee begins with a keyword, and one table says which function takes the rest
 * of it. Unknown keywords, keys and values are ignored: that is how the protocol can grow. */

#include "kit/kit.h"

#include "kit/line.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* More than a line of the referee can have. */
#define INPUT_MAX 4096

void kit_start(struct kit *kit, const char *name, kit_choose_fn *choose)
{
    memset(kit, 0, sizeof *kit);
    kit->name = name;
    kit->choose = choose;
    kit->view.rules = allegra_rules_of_edition(ALLEGRA_EDITION_DE2026);
    kit->view.seats = ALLEGRA_SEATS_MIN;
}

struct odds kit_odds(const struct kit *kit)
{
    return odds_of(&kit->view, kit->discards, kit->discard_count);
}

static bool is_printable(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text < ' ' || *text > '~')
            return false;
    }
    return true;
}

int kit_say(struct kit *kit, const char *text)
{
    size_t length = strlen(text);

    if (!kit->view.rules.talk || kit->saying_count == KIT_SAYINGS_MAX || length == 0 ||
        length > KIT_SAYING_MAX || !is_printable(text))
        return -1;
    memcpy(kit->sayings[kit->saying_count++], text, length + 1);
    return 0;
}

struct notice {
    const char *keyword;
    line_fn *read;
    bool is_event; /* something happened, and a clear step may be over */
};

static const struct notice notices[] = {
    {"match", line_match, true},
    {"rules", line_rules, true},
    {"table", line_table, false},
    {"display", line_display, false},
    {"legal", line_legal, false},
    {"round", line_round, true},
    {"reshuffled", line_reshuffled, true},
    {"turn", line_turn, true},
    {"final", line_final, true},
    {"drew", line_drew, true},
    {"kept", line_kept, true},
    {"dropped", line_dropped, true},
    {"placed", line_placed, true},
    {"took", line_took, true},
    {"put", line_put, true},
    {"tossed", line_tossed, true},
    {"returned", line_returned, true},
    {"discarded", line_discarded, true},
    {"cleared", line_cleared, false},
    {"passed", line_passed, true},
    {"knocked", line_knocked, true},
    {"again", line_again, true},
    {"accepted", line_accepted, true},
    {"said", line_said, false},
};

static void read_notice(struct kit *kit, const char *keyword, char *rest)
{
    for (size_t i = 0; i < sizeof notices / sizeof notices[0]; i++) {
        if (strcmp(keyword, notices[i].keyword) != 0)
            continue;
        if (notices[i].is_event)
            kit->clearer = ALLEGRA_SEAT_NONE;
        notices[i].read(kit, rest);
        return;
    }
}

size_t kit_read_line(struct kit *kit, char *line, char reply[KIT_REPLY_MAX])
{
    char *rest = line + strcspn(line, " ");

    if (*rest != '\0')
        *rest++ = '\0';
    reply[0] = '\0';
    if (strcmp(line, "ask") == 0)
        return line_ask(kit, rest, reply, KIT_REPLY_MAX);
    if (strcmp(line, "allegra") == 0)
        return (size_t)snprintf(reply, KIT_REPLY_MAX, "hello %.64s legal=on reuse=on\n", kit->name);
    if (strcmp(line, "bye") == 0)
        kit->is_over = true;
    else
        read_notice(kit, line, rest);
    return 0;
}

static int write_all(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, length);

        if (written < 0 && errno != EINTR)
            return -1;
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return 0;
}

/* Reads all complete lines of `input` and sends the replies. Returns how many bytes are left over,
 * moved to the front; or -1. */
static ssize_t read_lines(struct kit *kit, char *input, size_t length)
{
    char *start = input;
    char *end;
    size_t left;

    while (!kit->is_over && (end = memchr(start, '\n', length - (size_t)(start - input))) != NULL) {
        char reply[KIT_REPLY_MAX];

        *end = '\0';
        if (end > start && end[-1] == '\r')
            end[-1] = '\0';
        if (write_all(reply, kit_read_line(kit, start, reply)) != 0)
            return -1;
        start = end + 1;
    }
    left = length - (size_t)(start - input);
    memmove(input, start, left);
    return left == INPUT_MAX ? 0 : (ssize_t)left;
}

int kit_run(const char *name, kit_choose_fn *choose)
{
    static struct kit kit;
    static char input[INPUT_MAX];
    ssize_t length = 0;

    kit_start(&kit, name, choose);
    while (!kit.is_over) {
        ssize_t got = read(STDIN_FILENO, input + length, INPUT_MAX - (size_t)length);

        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return 1;
        length = read_lines(&kit, input, (size_t)(length + got));
        if (length < 0)
            return 1;
    }
    return 0;
}
