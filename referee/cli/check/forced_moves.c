/* Some questions come only to bots that play in a certain way: a bot that never knocks is never
 * asked where to place the card. So the match is rehearsed without any process, with random
 * answers, until the seat of the bot is asked the wanted question. The real match repeats these
 * answers, and the bot is told about them as usual. */

#include "cli/check/forced_moves.h"

#include "game/allegra.h"
#include "base/memory.h"

#include <stdlib.h>

struct rehearsal {
    struct match *match;
    unsigned asked; /* mask */
};

static void tell(void *context, unsigned seat, const char *bytes, size_t length)
{
    (void)context;
    (void)seat;
    (void)bytes;
    (void)length;
}

static void ask(void *context, unsigned seat, struct span bytes, int64_t limit_us)
{
    struct rehearsal *rehearsal = context;

    (void)bytes;
    (void)limit_us;
    rehearsal->asked |= 1U << seat;
}

static void dismiss(void *context, unsigned seat)
{
    (void)context;
    (void)seat;
}

static void add_to_log(void *context, const char *record, size_t length)
{
    (void)context;
    (void)record;
    (void)length;
}

static void add_answer(struct forced_moves *forced, unsigned seat, struct allegra_answer answer)
{
    forced->answers = xrealloc(forced->answers, (forced->count + 1) * sizeof *forced->answers);
    forced->seats = xrealloc(forced->seats, (forced->count + 1) * sizeof *forced->seats);
    forced->answers[forced->count] = answer;
    forced->seats[forced->count++] = seat;
}

static void answer_all(struct rehearsal *rehearsal, struct allegra_dice *dice,
                       struct forced_moves *forced)
{
    unsigned asked = rehearsal->asked;

    rehearsal->asked = 0;
    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++) {
        static const struct bot_time no_time;
        struct seat_reply reply = {0};
        struct allegra_legal legal;

        if (!(asked >> seat & 1))
            continue;
        allegra_legal_list(match_table(rehearsal->match), seat, &legal);
        reply.answer = allegra_simulate_choose(dice, &legal);
        add_answer(forced, seat, reply.answer);
        (void)match_answer(rehearsal->match, seat, &reply, &no_time);
    }
}

/* If the rules allow a hidden hand card, there must be one. */
static bool is_reached(const struct rehearsal *rehearsal, unsigned seat,
                       enum allegra_question question)
{
    const struct allegra_table *table = match_table(rehearsal->match);

    return allegra_table_question(table) == question && (rehearsal->asked >> seat & 1) != 0 &&
           (question != ALLEGRA_QUESTION_TAKE ||
            table->rules.knock_hand == ALLEGRA_KNOCK_HAND_OPEN || table->is_hand_private);
}

int forced_moves_find(struct forced_moves *forced, const struct match_setup *setup, unsigned seat,
                      enum allegra_question question)
{
    static const struct bot_line_hello hello = {.name = "nobody"};
    struct rehearsal rehearsal = {0};
    struct match_ports ports = {
        .tell = tell, .ask = ask, .dismiss = dismiss, .log = add_to_log, .context = &rehearsal};
    struct allegra_dice dice = allegra_dice_from(setup->seed[0]);
    bool is_found = false;

    *forced = (struct forced_moves){0};
    rehearsal.match = match_new(setup, &ports);
    for (unsigned other = 0; other < setup->seats; other++)
        match_hello(rehearsal.match, other, &hello);
    while (!match_is_over(rehearsal.match) && !is_found) {
        is_found = is_reached(&rehearsal, seat, question);
        if (!is_found)
            answer_all(&rehearsal, &dice, forced);
    }
    forced->decisions = match_decisions(rehearsal.match);
    match_free(rehearsal.match);
    return is_found ? 0 : -1;
}

void forced_moves_free(struct forced_moves *forced)
{
    free(forced->answers);
    free(forced->seats);
    *forced = (struct forced_moves){0};
}
