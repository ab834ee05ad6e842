/* Steps through a match in the terminal. To go back, it replays the match from its start: that
 * takes a few milliseconds, so the number of the decision is the only state. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/replay/cmd_replay.h"
#include "cli/table_view.h"

#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

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

static const char help[] =
    "right/left decision  up/down ten  f fault  k knock  c clear  0-5 that seat  j jump  g start  "
    "G end  q quit";

static int read_byte(void)
{
    unsigned char byte;

    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : KEY_END;
}

/* An arrow key sends ESC [ and a letter. */
static int read_key(void)
{
    int byte = read_byte();

    if (byte != '\033')
        return byte;
    if (read_byte() != '[')
        return KEY_OTHER;
    switch (read_byte()) {
    case 'A':
        return KEY_UP;
    case 'B':
        return KEY_DOWN;
    case 'C':
        return KEY_RIGHT;
    case 'D':
        return KEY_LEFT;
    default:
        return KEY_OTHER;
    }
}

static unsigned long here(const struct stepper *stepper)
{
    return match_decisions(replay_match(stepper->replay)) + 1;
}

static bool is_at_end(const struct stepper *stepper)
{
    return match_is_over(replay_match(stepper->replay));
}

static void go_to(struct stepper *stepper, unsigned long number)
{
    if (number < here(stepper))
        replay_rewind(stepper->replay);
    if (cmd_replay_go_to(stepper->replay, stepper->path, number) != 0)
        stepper->is_wrong = true;
}

static void go_by(struct stepper *stepper, long steps)
{
    long target = (long)here(stepper) + steps;

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

static void search(struct stepper *stepper, int key)
{
    bool is_found = false;

    while (!is_found && !is_at_end(stepper) && !stepper->is_wrong) {
        go_by(stepper, 1);
        is_found = is_wanted(stepper, key);
    }
    stepper->note = is_found ? "" : "no later decision of that kind";
}

static void draw(const struct stepper *stepper)
{
    printf("\033[H\033[2Jdecision %lu of %lu  %s\n", here(stepper),
           replay_decisions(stepper->replay), stepper->note);
    cmd_replay_print_events(stdout, stepper->replay, stepper->seat);
    cmd_replay_print_moment(stdout, stepper->replay, stepper->seat, table_view_has_colour(stdout));
    printf("%s\n", help);
    fflush(stdout);
}

static void jump(struct stepper *stepper)
{
    unsigned long number = 0;
    int byte;

    printf("decision: ");
    fflush(stdout);
    while ((byte = read_byte()) >= '0' && byte <= '9' && number < 100000000) {
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
    default:
        if (key == 'f' || key == 'k' || key == 'c' || (key >= '0' && key <= '5'))
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
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    while (key != 'q' && key != KEY_END && !stepper.is_wrong) {
        draw(&stepper);
        key = read_key();
        handle_key(&stepper, key);
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
    return stepper.is_wrong ? CLI_FAILED : CLI_FINE;
}
