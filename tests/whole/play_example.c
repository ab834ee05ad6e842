/* Plays an example of the documentation: a position, then answers, each on a line of its own as
 * `SEAT ANSWER`. Lines that begin with a blank are what the example says about the outcome, and are
 * left out; what really happens is written in their place, so that the output is the example again
 * if it is right. With `questions` it also writes who is asked what, with all legal answers, after
 * the position and after each answer.
 *
 * usage: play_example EDITION [questions] < EXAMPLE */

#include "game/game_text.h"
#include "game/position.h"
#include "wire/bot_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVENT_LINE_MAX 200

/* A new draw pile stays in the order in which the cards were discarded. */
static void leave_in_order(void *context, unsigned round, unsigned reshuffle, int8_t *cards,
                           unsigned count)
{
    (void)context;
    (void)round;
    (void)reshuffle;
    (void)cards;
    (void)count;
}

static int read_position(const char *edition, struct span lines, struct allegra_table *table)
{
    char position[ALLEGRA_POSITION_MAX];
    char message[300];
    struct text text;
    struct text problem;
    struct span seats = span_cut_word(&lines);

    text_start(&text, position, sizeof position);
    text_printf(&text, "%.*s edition=%s ", (int)seats.length, seats.start, edition);
    text_add_bytes(&text, lines.start, lines.length);
    text_start(&problem, message, sizeof message);
    if (position_read(span_of(position), table, &problem) == 0)
        return 0;
    fprintf(stderr, "play_example: %s\n", message);
    return -1;
}

static void write_questions(const struct allegra_table *table)
{
    for (unsigned seat = 0; seat < table->seats; seat++) {
        char line[BOT_LINE_REFEREE_MAX];
        struct allegra_legal legal;
        struct text text;

        if (!(allegra_table_asked(table) >> seat & 1))
            continue;
        allegra_legal_list(table, seat, &legal);
        text_start(&text, line, sizeof line);
        bot_line_write_legal(&text, &legal);
        printf("    %u %s: %s", seat, allegra_question_name(allegra_table_question(table)), line);
    }
}

static int play(struct allegra_table *table, struct span line)
{
    struct allegra_shuffler shuffler = {leave_in_order, NULL};
    struct allegra_answer answer;
    struct allegra_events events;
    enum allegra_refusal refusal;
    long seat;

    if (span_read_number(span_cut(&line, ' '), 0, ALLEGRA_SEATS_MAX - 1, &seat) != 0 ||
        answer_read(line, &answer) != 0) {
        fprintf(stderr, "play_example: not an answer: %.*s\n", (int)line.length, line.start);
        return -1;
    }
    refusal = allegra_table_apply(table, (unsigned)seat, answer, &shuffler, &events);
    if (refusal != ALLEGRA_REFUSAL_NONE)
        printf("    illegal: %s\n", allegra_refusal_text(refusal));
    for (unsigned i = 0; refusal == ALLEGRA_REFUSAL_NONE && i < events.count; i++) {
        char event[EVENT_LINE_MAX];
        struct text text;

        text_start(&text, event, sizeof event);
        bot_line_write_event(&text, &events.list[i], true);
        printf("    %s", event);
    }
    return 0;
}

static bool is_answer(struct span line)
{
    return line.length > 1 && line.start[0] >= '0' && line.start[0] <= '5' && line.start[1] == ' ';
}

/* What stands before the first answer. */
static struct span cut_position(struct span *rest)
{
    struct span all = *rest;

    while (rest->start != NULL && !is_answer(*rest))
        (void)span_cut(rest, '\n');
    return rest->start == NULL ? all : (struct span){all.start, all.length - rest->length};
}

int main(int argc, char **argv)
{
    char example[2 * ALLEGRA_POSITION_MAX];
    size_t length = fread(example, 1, sizeof example, stdin);
    struct span rest = {example, length};
    struct span position = cut_position(&rest);
    bool shows_questions = argc == 3 && strcmp(argv[2], "questions") == 0;
    struct allegra_table table;

    if (argc < 2 || read_position(argv[1], position, &table) != 0)
        return EXIT_FAILURE;
    printf("%.*s", (int)position.length, position.start);
    if (shows_questions)
        write_questions(&table);
    while (rest.start != NULL) {
        struct span line = span_cut(&rest, '\n');

        if (!is_answer(line))
            continue;
        printf("%.*s\n", (int)line.length, line.start);
        if (play(&table, line) != 0)
            return EXIT_FAILURE;
        if (shows_questions)
            write_questions(&table);
    }
    return EXIT_SUCCESS;
}
