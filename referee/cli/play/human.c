/* A person plays. Each question is shown with the table as the seat sees it and with the legal
 * answers; the person types an answer as a bot would, or its number in the list, or `help`. A
 * person has no clock. Answers are read in the event loop, so bots keep running meanwhile. */

#include "cli/play/human.h"

#include "base/memory.h"
#include "cli/table_view.h"
#include "game/allegra.h"
#include "game/game_text.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUT_MAX 256

struct human {
    struct event_base *base;
    struct event *input;
    struct match_host *host;
    unsigned seat;
    bool is_asked;
    bool has_left;
    struct allegra_legal legal;
    size_t length;
    char bytes[INPUT_MAX];
};

static const char help[] =
    "  Your display is the one with your seat's number. ? is a down card, . a gap, _ a hole.\n"
    "  Columns A and E are shared: your A is the E of your left neighbour (the next seat).\n"
    "  Type a number of the list, or the answer itself, such as `keep B3`.\n"
    "  help   shows this     list   shows the answers again     quit   leaves the match\n";

static void print_list(const struct human *human)
{
    char answer[40];
    struct text text;

    for (unsigned i = 0; i < human->legal.count; i++) {
        text_start(&text, answer, sizeof answer);
        answer_write(&text, human->legal.list[i]);
        printf("  %2u %-18s%s", i + 1, answer, i % 4 == 3 ? "\n" : "");
    }
    if (human->legal.count % 4 != 0)
        putchar('\n');
}

static const char *const questions[ALLEGRA_QUESTION_COUNT] = {
    [ALLEGRA_QUESTION_REVEAL] = "Turn up one of your down cards.",
    [ALLEGRA_QUESTION_DRAW] = "Draw from which pile?",
    [ALLEGRA_QUESTION_KNOCK] = "Do you knock for the drawn card?",
    [ALLEGRA_QUESTION_ANSWER] = "There are knocks. Do you accept one?",
    [ALLEGRA_QUESTION_MOVE] = "Keep the card in a cell, or drop it and turn one up.",
    [ALLEGRA_QUESTION_PLACE] = "Your knock was accepted. Where do you put the card?",
    [ALLEGRA_QUESTION_TAKE] = "Which card do you take from the knocker?",
    [ALLEGRA_QUESTION_PUT] = "Where do you put it?",
    [ALLEGRA_QUESTION_CLEAR] = "Clear a triple?",
};

static void prompt(const struct human *human)
{
    printf("seat %u> ", human->seat);
    fflush(stdout);
}

static void ask(void *context, struct match_host *host, unsigned seat)
{
    struct human *human = context;
    const struct match *match = match_host_get_match(host);
    struct allegra_view view = allegra_view_of(match_table(match), seat);

    human->host = host;
    human->seat = seat;
    human->is_asked = true;
    allegra_legal_list(match_table(match), seat, &human->legal);
    putchar('\n');
    table_view_show(stdout, &view, match_setup_of(match)->names, table_view_has_colour(stdout));
    if (view.drawn != ALLEGRA_CARD_NONE)
        printf("The drawn card is %d. ", view.drawn);
    if (view.taken != ALLEGRA_CARD_NONE)
        printf("The taken card is %d. ", view.taken);
    printf("%s\n", questions[view.question]);
    print_list(human);
    prompt(human);
}

static bool find_answer(const struct human *human, const char *line, struct allegra_answer *answer)
{
    long number;

    if (span_read_number(span_of(line), 1, (long)human->legal.count, &number) == 0) {
        *answer = human->legal.list[number - 1];
        return true;
    }
    return answer_read(span_of(line), answer) == 0;
}

static void leave(struct human *human)
{
    human->has_left = true;
    event_base_loopbreak(human->base);
}

static void take_line(struct human *human, const char *line)
{
    struct allegra_answer answer;
    enum allegra_refusal refusal;

    if (strcmp(line, "quit") == 0) {
        leave(human);
        return;
    }
    if (!human->is_asked)
        return;
    if (strcmp(line, "help") == 0) {
        fputs(help, stdout);
    } else if (strcmp(line, "list") == 0) {
        print_list(human);
    } else if (!find_answer(human, line, &answer)) {
        puts("  Not a legal answer; type `help` or `list`.");
    } else {
        human->is_asked = false;
        refusal = match_host_answer(human->host, human->seat, answer);
        if (refusal == ALLEGRA_REFUSAL_NONE)
            return;
        human->is_asked = true;
        printf("  Not allowed: %s.\n", allegra_refusal_text(refusal));
    }
    prompt(human);
}

static void take_lines(struct human *human)
{
    char *end;

    while ((end = memchr(human->bytes, '\n', human->length)) != NULL) {
        size_t used = (size_t)(end - human->bytes) + 1;
        char line[INPUT_MAX];

        memcpy(line, human->bytes, used - 1);
        line[used - 1] = '\0';
        memmove(human->bytes, end + 1, human->length - used);
        human->length -= used;
        take_line(human, line);
    }
    if (human->length == sizeof human->bytes)
        human->length = 0;
}

static void on_input(evutil_socket_t fd, short what, void *context)
{
    struct human *human = context;
    ssize_t count = read(fd, human->bytes + human->length, sizeof human->bytes - human->length);

    (void)what;
    if (count <= 0) {
        leave(human);
        return;
    }
    human->length += (size_t)count;
    take_lines(human);
}

struct human *human_new(struct event_base *base)
{
    struct human *human = xcalloc(1, sizeof *human);

    human->base = base;
    human->input = event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_input, human);
    if (human->input == NULL || event_add(human->input, NULL) != 0) {
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
    free(human);
}

struct match_host_driver human_driver(struct human *human)
{
    return (struct match_host_driver){ask, human};
}

void human_events(void *context, const struct match *match, const struct allegra_events *events)
{
    const struct human *human = context;
    char line[120];
    struct text text;

    for (unsigned i = 0; i < events->count; i++) {
        struct allegra_event event = allegra_event_hide(events->list[i], human->seat);

        text_start(&text, line, sizeof line);
        if (table_view_event_text(&text, &event, match_setup_of(match)->names))
            printf("  %s\n", line);
    }
}

bool human_has_left(const struct human *human)
{
    return human != NULL && human->has_left;
}
