/* A person plays. Each question is shown with the table as the seat sees it and with the legal
 * answers; the person types an answer or its number in the list, and may say something before it.
 * A person has no clock. Input is read in the event loop, so bots keep running meanwhile; what is
 * typed ahead waits for the next question. */

#include "cli/play/human.h"

#include "base/memory.h"
#include "base/message.h"
#include "cli/event_sentence.h"
#include "cli/play/typed_answer.h"
#include "cli/score_sheet.h"
#include "cli/table_draw.h"
#include "cli/table_view.h"
#include "game/allegra.h"
#include "game/game_text.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INPUT_MAX 256

struct human {
    struct event_base *base;
    struct event *input;
    struct event *wake; /* to read on after a question was asked */
    struct match_host *host;
    unsigned seat;
    bool is_asked;
    bool is_at_end; /* of the input */
    bool has_left;
    struct allegra_legal legal;
    struct seat_reply reply;
    uint16_t changed[ALLEGRA_SEATS_MAX]; /* cells, since the last question */
    struct score_sheet sheet;
    size_t length;
    char bytes[INPUT_MAX];
};

static const char help[] =
    "\n"
    "The game: have the fewest points at the end. Your points are the sum of your\n"
    "15 cards; those in columns A and E count for you and for that neighbour too.\n"
    "Three equal cards in a column, or side by side in a row, are cleared away.\n"
    "In your turn you draw from either pile. Keep the card in place of one of\n"
    "yours, or drop it and turn up one of your down cards. At three or more seats\n"
    "the others may knock for a card from the draw pile: the knocker that you\n"
    "accept gets it, and you take any card of the knocker instead.\n"
    "When a player has no down card left, the others move once more and all cards\n"
    "count. But that player pays double, unless all others have more points.\n"
    "`referee rules --explain` has the whole game, with examples.\n"
    "\n" TABLE_DRAW_LEGEND "* marks what changed since your last answer.\n"
    "\n"
    "Type a number of the list, the answer itself (`keep b2`), or only a cell (`b2`)\n"
    "where that is clear; and also\n"
    "  say TEXT   tells the others something together with your answer\n"
    "  list       shows the answers again\n"
    "  ?          shows this\n"
    "  quit       leaves the match\n"
    "\n";

static const char *const questions[ALLEGRA_QUESTION_COUNT] = {
    [ALLEGRA_QUESTION_REVEAL] = "Turn up one of your down cards.",
    [ALLEGRA_QUESTION_DRAW] = "Draw from which pile?",
    [ALLEGRA_QUESTION_KNOCK] = "Do you knock for the drawn card?",
    [ALLEGRA_QUESTION_ANSWER] = "Do you accept a knock?",
    [ALLEGRA_QUESTION_MOVE] = "Keep the card in a cell, or drop it and turn one up.",
    [ALLEGRA_QUESTION_PLACE] = "Your knock was accepted. Where do you put the card?",
    [ALLEGRA_QUESTION_TAKE] = "Which card do you take from the knocker?",
    [ALLEGRA_QUESTION_PUT] = "Where do you put it?",
    [ALLEGRA_QUESTION_CLEAR] = "Clear a triple?",
};

/* What the person sees. */

static void print_list(const struct human *human)
{
    char answer[40];
    struct text text;

    for (unsigned i = 0; i < human->legal.count; i++) {
        text_start(&text, answer, sizeof answer);
        answer_write(&text, human->legal.list[i]);
        printf("  %2u %-15s%s", i + 1, answer, i % 4 == 3 ? "\n" : "");
    }
    if (human->legal.count % 4 != 0)
        putchar('\n');
}

static void prompt(const struct human *human)
{
    printf("seat %u> ", human->seat);
    fflush(stdout);
}

static void print_table(struct human *human, const struct match *match,
                        const struct allegra_view *view)
{
    struct table_drawing drawing = {
        .view = view,
        .names = match_setup_of(match)->names,
        .changed = human->changed,
        .width = table_draw_width(stdout),
        .is_over = allegra_table_is_over(match_table(match)),
        .has_colour = table_draw_has_colour(stdout),
    };

    putchar('\n');
    table_draw(stdout, &drawing);
    memset(human->changed, 0, sizeof human->changed);
}

static void ask(void *context, struct match_host *host, unsigned seat)
{
    struct human *human = context;
    const struct match *match = match_host_get_match(host);
    struct allegra_view view = allegra_view_of(match_table(match), seat);

    human->host = host;
    human->is_asked = true;
    human->reply.say_count = 0;
    allegra_legal_list(match_table(match), seat, &human->legal);
    print_table(human, match, &view);
    if (view.drawn != ALLEGRA_CARD_NONE)
        printf("The drawn card is %d. ", view.drawn);
    if (view.taken != ALLEGRA_CARD_NONE)
        printf("The taken card is %d. ", view.taken);
    printf("%s\n", questions[view.question]);
    print_list(human);
    prompt(human);
    event_active(human->wake, EV_TIMEOUT, 0);
}

void human_events(void *context, const struct match *match, const struct allegra_events *events)
{
    struct human *human = context;
    const char *const *names = match_setup_of(match)->names;
    bool is_over = allegra_table_is_over(match_table(match));
    char line[EVENT_SENTENCE_BYTES];
    struct text text;

    for (unsigned i = 0; i < events->count; i++) {
        struct allegra_event event = allegra_event_hide(events->list[i], human->seat);

        text_start(&text, line, sizeof line);
        if (event_sentence_write(&text, &event, names))
            printf("  %s\n", line);
    }
    table_draw_add_changes(human->changed, events);
    if (score_sheet_add(&human->sheet, events) && !is_over)
        score_sheet_print(stdout, &human->sheet, names);
    if (is_over) {
        struct allegra_view view = allegra_view_of(match_table(match), human->seat);

        print_table(human, match, &view);
    }
}

void human_said(void *context, const struct match *match, unsigned seat, const char *said)
{
    const struct human *human = context;

    if (seat != human->seat)
        printf("  %s says: %s\n", match_setup_of(match)->names[seat], said);
}

/* What the person types. */

static void leave(struct human *human)
{
    human->has_left = true;
    event_base_loopbreak(human->base);
}

static void keep_text(struct human *human, struct span text)
{
    const struct match *match = match_host_get_match(human->host);
    struct seat_reply *reply = &human->reply;

    if (!match_setup_of(match)->rules.talk) {
        puts("  Nobody may talk in this match (talk=off).");
    } else if (text.length == 0 || text.length > BOT_LINE_SAY_MAX || !bot_line_is_plain(text)) {
        printf("  A text has 1 to %d printable ASCII characters.\n", BOT_LINE_SAY_MAX);
    } else if (reply->say_count == BOT_LINE_SAYS_MAX) {
        printf("  At most %d texts go with one answer.\n", BOT_LINE_SAYS_MAX);
    } else {
        memcpy(reply->says[reply->say_count], text.start, text.length);
        reply->says[reply->say_count++][text.length] = '\0';
        puts("  All will hear it with your answer.");
    }
}

/* Returns whether the answer was accepted. */
static bool answer(struct human *human, struct span line)
{
    char message[500];
    struct text problem;
    enum allegra_refusal refusal;

    text_start(&problem, message, sizeof message);
    if (typed_answer_read(line, &human->legal, &human->reply.answer, &problem) != 0) {
        printf("  %s\n", message);
        return false;
    }
    human->is_asked = false;
    refusal = match_host_answer(human->host, human->seat, &human->reply);
    if (refusal == ALLEGRA_REFUSAL_NONE)
        return true;
    human->is_asked = true;
    printf("  Not allowed: %s.\n", allegra_refusal_text(refusal));
    return false;
}

static void take_line(struct human *human, struct span line)
{
    struct span rest = line;
    struct span first = span_cut_word(&rest);

    if (span_is(first, "say")) {
        (void)span_cut(&line, ' ');
        keep_text(human, line.start != NULL ? line : (struct span){"", 0});
    } else if (span_is(first, "?") || span_is(first, "help")) {
        fputs(help, stdout);
    } else if (span_is(first, "list")) {
        print_list(human);
    } else if (first.length > 0 && answer(human, line)) {
        return;
    }
    prompt(human);
}

static bool is_quit(struct span line)
{
    struct span first = span_cut_word(&line);

    return span_is(first, "quit");
}

/* Cuts off the next line, if there is one. Lines wait for a question, except one that ends all. */
static bool cut_line(struct human *human, char copy[INPUT_MAX], struct span *line)
{
    char *end = memchr(human->bytes, '\n', human->length);
    size_t length = end != NULL ? (size_t)(end - human->bytes) : 0;

    if (end == NULL && human->length == sizeof human->bytes) {
        puts("  That line is too long.");
        human->length = 0;
    }
    *line = (struct span){copy, length};
    memcpy(copy, human->bytes, length);
    if (length > 0 && copy[length - 1] == '\r')
        line->length--;
    if (end == NULL || (!human->is_asked && !is_quit(*line)))
        return false;
    human->length -= length + 1;
    memmove(human->bytes, end + 1, human->length);
    return true;
}

static void take_lines(struct human *human)
{
    char copy[INPUT_MAX];
    struct span line;

    while (!human->has_left && cut_line(human, copy, &line)) {
        if (is_quit(line))
            leave(human);
        else
            take_line(human, line);
    }
    if (human->is_asked && human->is_at_end)
        leave(human);
    else if (!human->is_at_end && human->length < sizeof human->bytes)
        event_add(human->input, NULL);
}

static void on_input(evutil_socket_t fd, short what, void *context)
{
    struct human *human = context;
    ssize_t count = read(fd, human->bytes + human->length, sizeof human->bytes - human->length);

    (void)what;
    if (count > 0)
        human->length += (size_t)count;
    else if (count == 0 || (errno != EAGAIN && errno != EINTR))
        human->is_at_end = true;
    take_lines(human);
}

static void on_wake(evutil_socket_t fd, short what, void *context)
{
    (void)fd;
    (void)what;
    take_lines(context);
}

bool human_can_play(void)
{
    struct stat status;

    if (isatty(STDIN_FILENO) || (fstat(STDIN_FILENO, &status) == 0 &&
                                 (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))))
        return true;
    message_say("`human` needs a terminal: stdin is neither a terminal nor a pipe");
    return false;
}

/* The event is added whenever there is room for more input. */
struct human *human_new(struct event_base *base)
{
    struct human *human = xcalloc(1, sizeof *human);

    human->base = base;
    human->input = event_new(base, STDIN_FILENO, EV_READ, on_input, human);
    human->wake = evtimer_new(base, on_wake, human);
    if (human->input == NULL || human->wake == NULL || event_add(human->input, NULL) != 0) {
        human_free(human);
        return NULL;
    }
    return human;
}

void human_free(struct human *human)
{
    if (human == NULL)
        return;
    if (human->input != NULL)
        event_free(human->input);
    if (human->wake != NULL)
        event_free(human->wake);
    free(human);
}

struct match_host_driver human_sit(struct human *human, unsigned seat)
{
    human->seat = seat;
    human->is_asked = false;
    memset(human->changed, 0, sizeof human->changed);
    human->sheet = (struct score_sheet){.seats = 0};
    return (struct match_host_driver){ask, human};
}

void human_result(const struct human *human, const struct match *match)
{
    table_view_print_result(stdout, match, &human->sheet);
}

bool human_has_left(const struct human *human)
{
    return human != NULL && human->has_left;
}
