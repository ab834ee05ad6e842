/* Writes the lines that a bot receives in some random matches, with the list of legal answers
 * before every question. The lines do not depend on what the bot answers, so they can be fed to it
 * from a file.
 *
 * usage: transcript MATCHES SEED */

#include "support/random_play.h"
#include "wire/bot_line.h"

#include <stdio.h>
#include <stdlib.h>

#define LINES_MAX 8192

struct session {
    struct allegra_table table;
    struct allegra_events events;
    struct allegra_dice dice;
    struct play_style style;
    unsigned seat; /* whose lines are written */
    uint64_t id;
};

static void begin(struct text *text)
{
    static char buffer[LINES_MAX];

    text_start(text, buffer, sizeof buffer);
}

static void write_match(const struct session *session)
{
    struct bot_line_match match = {
        .rules = &session->table.rules,
        .seats = session->table.seats,
        .seat = session->seat,
        .move_ms = 1000,
        .clock = "fair",
        .rng = session->dice.state,
        .names = {"one", "two", "three", "four", "five", "six"},
    };
    struct text text;

    begin(&text);
    bot_line_write_match(&text, &match);
    fputs(text.buffer, stdout);
}

static void write_events(const struct session *session)
{
    struct text text;

    begin(&text);
    for (unsigned i = 0; i < session->events.count; i++) {
        struct allegra_event event = allegra_event_hide(session->events.list[i], session->seat);

        bot_line_write_event(&text, &event, true);
    }
    fputs(text.buffer, stdout);
}

static void write_question(struct session *session, const struct allegra_legal *legal)
{
    struct allegra_view view = allegra_view_of(&session->table, session->seat);
    struct text text;

    begin(&text);
    bot_line_write_table(&text, &view);
    bot_line_write_legal(&text, legal);
    bot_line_write_ask(&text, &view, ++session->id, 1000);
    fputs(text.buffer, stdout);
}

static void write_result(unsigned seats)
{
    printf("result");
    for (unsigned seat = 0; seat < seats; seat++)
        printf(" %u", seat + 1);
    printf("\n");
}

static void play(struct session *session)
{
    struct allegra_shuffler shuffler = allegra_simulate_shuffler(&session->dice);
    struct allegra_table *table = &session->table;
    unsigned seats = 2 + allegra_dice_below(&session->dice, 5);
    struct allegra_rules rules = random_rules(&session->dice, seats);

    session->style = random_play_style(&session->dice);
    session->seat = allegra_dice_below(&session->dice, seats);
    session->events.count = 0;
    allegra_table_start(table, &rules, seats, 0, &shuffler, &session->events);
    write_match(session);
    write_events(session);
    while (!allegra_table_is_over(table)) {
        unsigned seat = random_asked(table, &session->dice);
        struct allegra_legal legal;
        struct allegra_answer answer;

        allegra_legal_list(table, seat, &legal);
        if (seat == session->seat)
            write_question(session, &legal);
        answer = random_answer(table, seat, &legal, &session->style, &session->dice);
        allegra_table_apply(table, seat, answer, &shuffler, &session->events);
        write_events(session);
    }
    write_result(seats);
}

int main(int argc, char **argv)
{
    static struct session session;
    struct text text;

    if (argc != 3)
        return 2;
    begin(&text);
    bot_line_write_greeting(&text, REFEREE_VERSION);
    fputs(text.buffer, stdout);
    session.dice = allegra_dice_from(strtoull(argv[2], NULL, 10));
    for (long i = strtol(argv[1], NULL, 10); i > 0; i--)
        play(&session);
    puts("bye");
    return 0;
}
