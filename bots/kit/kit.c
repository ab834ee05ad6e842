/* Each line of the referee begins with a keyword, and one table says which function takes the rest
 * of it. Unknown keywords, keys and values are ignored: that is how the protocol can grow. */

#include "kit/kit.h"

#include "kit/hear.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* More than a line of the referee or a reply can have. */
#define INPUT_MAX 4096
#define REPLY_MAX 512

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
    const char *word;
    hear_fn *hear;
    bool is_event; /* something happened, and a clear step may be over */
};

static const struct notice notices[] = {
    {"match", hear_match, true},
    {"rules", hear_rules, true},
    {"table", hear_table, false},
    {"display", hear_display, false},
    {"legal", hear_legal, false},
    {"round", hear_round, true},
    {"reshuffled", hear_reshuffled, true},
    {"turn", hear_turn, true},
    {"final", hear_final, true},
    {"drew", hear_drew, true},
    {"kept", hear_kept, true},
    {"dropped", hear_dropped, true},
    {"placed", hear_placed, true},
    {"took", hear_took, true},
    {"put", hear_put, true},
    {"tossed", hear_tossed, true},
    {"returned", hear_returned, true},
    {"discarded", hear_discarded, true},
    {"cleared", hear_cleared, false},
    {"passed", hear_passed, true},
    {"knocked", hear_knocked, true},
    {"again", hear_again, true},
    {"accepted", hear_accepted, true},
    {"said", hear_said, false},
};

static void hear_notice(struct kit *kit, struct span word, struct span rest)
{
    for (size_t i = 0; i < ARRAY_LEN(notices); i++) {
        if (!span_is(word, notices[i].word))
            continue;
        if (notices[i].is_event)
            kit->clearer = ALLEGRA_SEAT_NONE;
        notices[i].hear(kit, rest);
        return;
    }
}

void kit_hear(struct kit *kit, struct span line, struct text *reply)
{
    struct span rest = line;
    struct span word = span_cut(&rest, ' ');

    if (rest.start == NULL)
        rest = (struct span){"", 0};
    if (span_is(word, "ask")) {
        hear_ask(kit, rest, reply);
    } else if (span_is(word, "allegra")) {
        text_add(reply, "hello ");
        text_add(reply, kit->name);
        text_add(reply, " legal=on reuse=on\n");
    } else if (span_is(word, "bye")) {
        kit->is_over = true;
    } else {
        hear_notice(kit, word, rest);
    }
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

/* Hears one line and sends the reply, if there is one. */
static int take_line(struct kit *kit, struct span line)
{
    char buffer[REPLY_MAX];
    struct text reply;

    if (line.length > 0 && line.start[line.length - 1] == '\r')
        line.length--;
    text_start(&reply, buffer, sizeof buffer);
    kit_hear(kit, line, &reply);
    return write_all(buffer, reply.length);
}

/* Takes all complete lines of `input` and returns how many bytes are left over, moved to the front;
 * or -1. */
static ssize_t take_lines(struct kit *kit, char *input, size_t length)
{
    char *start = input;
    char *end;
    size_t left;

    while (!kit->is_over && (end = memchr(start, '\n', length - (size_t)(start - input))) != NULL) {
        if (take_line(kit, (struct span){start, (size_t)(end - start)}) != 0)
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
        length = take_lines(&kit, input, (size_t)(length + got));
        if (length < 0)
            return 1;
    }
    return 0;
}
