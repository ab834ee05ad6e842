/* Steps through a match in the terminal. To go back, it replays the match from its start: that
 * takes a few milliseconds, so the number of the decision is the only state. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/replay/cmd_replay.h"
#include "cli/table_draw.h"

#include <ctype.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define CTRL_C 3

/* What a key sends after ESC, and how long its next byte may take. */
#define SEQUENCE_MAX 7
#define SEQUENCE_MS 50

enum key {
    KEY_OTHER = 256,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_UP,
    KEY_DOWN,
    KEY_END,
};

struct stepper {
    struct replay *replay;
    const char *path;
    int seat;
    bool is_wrong; /* the log, which was reported */
    const char *note;
};

static const char keys[] = "arrows move  f k c 0-5 search  b: backwards  j jump  ? help  q quit";

static const char help[] = "right, space, n   the next decision\n"
                           "left, p           the one before\n"
                           "down, up          ten decisions on, ten back\n"
                           "g, G              the beginning, the end (also Home, End)\n"
                           "j                 jump: type the number of a decision, then Enter\n"
                           "f                 search for the next fault\n"
                           "k                 search for the next knock\n"
                           "c                 search for the next clear\n"
                           "0 to 5            search for the next question to that seat\n"
                           "b                 search backwards: b and then f, k, c or 0 to 5\n"
                           "F, K, C           the same as b f, b k, b c\n"
                           "?, h              this help\n"
                           "q                 quit\n"
                           "\n" TABLE_DRAW_LEGEND "* marks what the last decision changed.\n"
                           "\n"
                           "Press any key to return.\n";

static int read_byte(void)
{
    unsigned char byte;

    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : KEY_END;
}

/* What keys send after ESC. Terminals differ. */
static const struct {
    const char *bytes;
    int key;
} sequences[] = {
    {"[A", KEY_UP},    {"OA", KEY_UP},    {"[5~", KEY_UP},                     /* page up */
    {"[B", KEY_DOWN},  {"OB", KEY_DOWN},  {"[6~", KEY_DOWN},                   /* page down */
    {"[C", KEY_RIGHT}, {"OC", KEY_RIGHT}, {"[D", KEY_LEFT},  {"OD", KEY_LEFT}, /* arrows */
    {"[H", 'g'},       {"OH", 'g'},       {"[1~", 'g'},      {"[7~", 'g'},     /* Home */
    {"[F", 'G'},       {"OF", 'G'},       {"[4~", 'G'},      {"[8~", 'G'},     /* End */
};

/* Whether the next byte is there already: those of one key come together. */
static bool has_byte(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};

    return poll(&input, 1, SEQUENCE_MS) > 0;
}

static int read_key(void)
{
    char bytes[SEQUENCE_MAX + 1] = "";
    size_t length = 0;
    int byte = read_byte();

    if (byte != '\033')
        return byte;
    /* `[` or `O` comes first; after it, the first letter or `~` is the last byte. */
    while (length < SEQUENCE_MAX && has_byte()) {
        bytes[length++] = (char)read_byte();
        if (length > 1 && bytes[length - 1] >= '@')
            break;
    }
    for (size_t i = 0; i < ARRAY_LEN(sequences); i++) {
        if (strcmp(bytes, sequences[i].bytes) == 0)
            return sequences[i].key;
    }
    return KEY_OTHER;
}

static unsigned long here(const struct stepper *stepper)
{
    return match_decisions(replay_match(stepper->replay)) + 1;
}

static bool is_at_end(const struct stepper *stepper)
{
    return here(stepper) > replay_decisions(stepper->replay);
}

/* The end is after the last decision. */
static void go_to(struct stepper *stepper, unsigned long number)
{
    unsigned long end = replay_decisions(stepper->replay) + 1;

    if (number > end)
        number = end;
    if (number < here(stepper))
        replay_rewind(stepper->replay);
    if (cmd_replay_go_to(stepper->replay, stepper->path, number) != 0)
        stepper->is_wrong = true;
}

static void go_by(struct stepper *stepper, long steps)
{
    long target = (long)here(stepper) + steps;

    if (steps > 0 && is_at_end(stepper))
        stepper->note = "this is the end";
    if (steps < 0 && here(stepper) == 1)
        stepper->note = "this is the beginning";
    go_to(stepper, target < 1 ? 1 : (unsigned long)target);
}

/* Whether the decision is of the kind that `key` stands for. */
static bool is_wanted(const struct stepper *stepper, int key)
{
    const struct allegra_events *events = replay_events(stepper->replay);
    enum allegra_event_kind kind = key == 'k' ? ALLEGRA_EVENT_KNOCKED : ALLEGRA_EVENT_CLEARED;
    unsigned faults;

    if (key >= '0' && key <= '5')
        return allegra_table_asked(match_table(replay_match(stepper->replay))) >> (key - '0') & 1;
    if (key == 'f') {
        (void)replay_faults(stepper->replay, &faults);
        return faults > 0 && !is_at_end(stepper);
    }
    for (unsigned i = 0; i < events->count; i++) {
        if (events->list[i].kind == kind)
            return true;
    }
    return false;
}

static bool is_search(int key)
{
    return key == 'f' || key == 'k' || key == 'c' || (key >= '0' && key <= '5');
}

static void search(struct stepper *stepper, int key)
{
    unsigned long before = here(stepper);
    bool is_found = false;

    while (!is_found && !is_at_end(stepper) && !stepper->is_wrong) {
        go_by(stepper, 1);
        is_found = is_wanted(stepper, key);
    }
    if (!is_found && !stepper->is_wrong)
        go_to(stepper, before);
    stepper->note = is_found ? "" : "no later decision of that kind";
}

/* A match can only be replayed forwards: the last one that is found on the way here counts. */
static void search_back(struct stepper *stepper, int key)
{
    unsigned long end = here(stepper);
    unsigned long found = 0;

    go_to(stepper, 1);
    while (here(stepper) < end && !stepper->is_wrong) {
        if (is_wanted(stepper, key))
            found = here(stepper);
        go_by(stepper, 1);
    }
    if (found > 0)
        go_to(stepper, found);
    stepper->note = found > 0 ? "" : "no earlier decision of that kind";
}

static void show_help(void)
{
    printf("\033[H\033[2J%s", help);
    fflush(stdout);
    (void)read_key();
}

static void draw(const struct stepper *stepper)
{
    printf("\033[H\033[2J");
    if (is_at_end(stepper))
        printf("after decision %lu, the last one  %s\n", replay_decisions(stepper->replay),
               stepper->note);
    else
        printf("decision %lu of %lu  %s\n", here(stepper), replay_decisions(stepper->replay),
               stepper->note);
    cmd_replay_print_events(stdout, stepper->replay, stepper->seat);
    cmd_replay_print_moment(stdout, stepper->replay, stepper->seat, table_draw_has_colour(stdout));
    if (is_at_end(stepper) && replay_cut(stepper->replay) != NULL)
        printf("%s\n", replay_cut(stepper->replay));
    printf("%s\n", keys);
    fflush(stdout);
}

static void jump(struct stepper *stepper)
{
    unsigned long number = 0;
    int byte;

    printf("decision: ");
    fflush(stdout);
    while ((byte = read_byte()) != '\n' && byte != '\r' && byte != KEY_END) {
        if (byte < '0' || byte > '9' || number >= 100000000)
            continue;
        number = 10 * number + (unsigned long)(byte - '0');
        putchar(byte);
        fflush(stdout);
    }
    if (number > 0)
        go_to(stepper, number);
}

static void handle_key(struct stepper *stepper, int key)
{
    stepper->note = "";
    switch (key) {
    case KEY_RIGHT:
    case ' ':
    case 'n':
        go_by(stepper, 1);
        break;
    case KEY_LEFT:
    case 'p':
        go_by(stepper, -1);
        break;
    case KEY_UP:
        go_by(stepper, -10);
        break;
    case KEY_DOWN:
        go_by(stepper, 10);
        break;
    case 'g':
        go_to(stepper, 1);
        break;
    case 'G':
        go_to(stepper, replay_decisions(stepper->replay) + 1);
        break;
    case 'j':
        jump(stepper);
        break;
    case 'F':
    case 'K':
    case 'C':
        search_back(stepper, tolower(key));
        break;
    case 'b':
        key = read_key();
        if (is_search(key))
            search_back(stepper, key);
        break;
    case '?':
    case 'h':
        show_help();
        break;
    default:
        if (is_search(key))
            search(stepper, key);
        break;
    }
}

int cmd_replay_step(struct replay *replay, const char *path, int seat)
{
    struct stepper stepper = {.replay = replay, .path = path, .seat = seat, .note = ""};
    struct termios before, raw;
    int key = KEY_OTHER;

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        message_say("--step needs a terminal; --at N shows one moment");
        return CLI_USAGE;
    }
    tcgetattr(STDIN_FILENO, &before);
    raw = before;
    raw.c_lflag &=
        ~(tcflag_t)(ICANON | ECHO | ISIG); /* Ctrl-C is a key: the terminal is restored */
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    while (key != 'q' && key != KEY_END && key != CTRL_C && !stepper.is_wrong) {
        draw(&stepper);
        key = read_key();
        handle_key(&stepper, key);
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return stepper.is_wrong ? CLI_FAILED : CLI_FINE;
}
