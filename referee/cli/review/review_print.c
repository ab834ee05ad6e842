/* The review as text: a line per seat, the worst decisions, each with the command that asks a bot
 * the same question, and the cards that mattered most. */

#include "cli/review/cmd_review.h"

#include "game/game_text.h"
#include "tournament/report/text_grid.h"

#include <math.h>

#define CARDS 2 /* luckiest and unluckiest ones per seat */

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

static void print_title(FILE *file, const struct cmd_review *command)
{
    const struct match_setup *setup = match_setup_of(replay_match(command->replay));
    const struct review *review = command->review;

    fprintf(file, "%s%s%s, %u seats, %u round%s, %zu decisions%s\n\n",
            allegra_edition_name((enum allegra_edition)setup->rules.edition),
            setup->variant[0] != '\0' ? ", variant " : "", setup->variant, review->seats,
            review->rounds, plural(review->rounds), review->step_count,
            review->is_over ? "" : ", not finished");
}

/* --- The seats --- */

static void print_rate(FILE *file, const struct cmd_review *command, unsigned seat)
{
    struct judge_cost rate = review_rate(command->review, seat);

    if (!cmd_review_is_judged(command, seat))
        fputs("not judged", file);
    else
        fprintf(file, "%.1f ± %.1f points, %.0f ± %.0f %% of a win", rate.points.mean,
                rate.points.error, 100 * rate.wins.mean, 100 * rate.wins.error);
}

static void print_place(FILE *file, const struct cmd_review *command, unsigned seat)
{
    unsigned place = cmd_review_place(command, seat);

    if (place == 0)
        fputc('-', file);
    else
        fprintf(file, "%u", place);
}

/* Points are known when the match is over. */
static void print_points(FILE *file, const struct review *review, const char *format, double points)
{
    if (review->is_over)
        fprintf(file, format, points);
    else
        fputc('-', file);
}

static void print_seats(FILE *file, const struct cmd_review *command)
{
    static const char *const heads[] = {
        "seat", "bot", "place", "points", "luck", "without luck", "lost by decisions, per round"};
    const struct review *review = command->review;
    struct text_grid *grid = text_grid_new("rlrrrrl");

    for (size_t i = 0; i < ARRAY_LEN(heads); i++)
        fputs(heads[i], text_grid_cell(grid));
    for (unsigned seat = 0; seat < review->seats; seat++) {
        double luck = review->luck.of[seat].points;

        fprintf(text_grid_cell(grid), "%u", seat);
        fputs(cmd_review_name(command, seat), text_grid_cell(grid));
        print_place(text_grid_cell(grid), command, seat);
        print_points(text_grid_cell(grid), review, "%g", review->totals[seat]);
        fprintf(text_grid_cell(grid), "%+.1f", luck);
        print_points(text_grid_cell(grid), review, "%.1f", review->totals[seat] - luck);
        print_rate(text_grid_cell(grid), command, seat);
    }
    text_grid_print(grid, file, 0);
    text_grid_free(grid);
    fputs("Fewer points are better; luck below 0 is good luck: points that the cards saved.\n",
          file);
    fputs("Losses add up over all decisions, so they can exceed what a round is worth.\n", file);
    fputs("± is one standard error. Typical losses per round, four of a kind:", file);
    for (size_t i = 0; i < CMD_REVIEW_TYPICAL; i++)
        fprintf(file, "%s %s %.0f", i > 0 ? "," : "", cmd_review_typical[i].bot,
                cmd_review_typical[i].points);
    fputs(".\n", file);
}

static void print_skipped(FILE *file, const struct cmd_review *command)
{
    static const char *const reasons[REVIEW_KINDS] = {
        [REVIEW_AUTOPILOT] = "were given by the autopilot after a fault",
        [REVIEW_GIVEN] = "come from the log that this match branches off",
    };

    for (unsigned seat = 0; seat < command->review->seats; seat++) {
        for (unsigned kind = 0; kind < REVIEW_KINDS; kind++) {
            unsigned count = cmd_review_count(command->review, seat, (enum review_kind)kind);

            if (reasons[kind] != NULL && count > 0 && cmd_review_is_judged(command, seat))
                fprintf(file, "Not judged: %u answer%s of %s that %s.\n", count, plural(count),
                        cmd_review_name(command, seat), reasons[kind]);
        }
    }
}

static void print_unconfirmed(FILE *file, const struct review *review)
{
    unsigned count = 0;

    for (size_t i = 0; i < review->answer_count; i++)
        count += review_is_unconfirmed(&review->answers[i]);
    if (count > 0)
        fprintf(file,
                "There was no time to confirm %u suspicious decision%s: the figures are rough; use "
                "--budget-s.\n",
                count, plural(count));
}

/* --- The worst decisions --- */

static void print_display(FILE *file, const struct review_answer *answer)
{
    struct allegra_view view = allegra_view_of(&answer->table, answer->seat);
    const int8_t *face = view.face[answer->seat];

    for (unsigned cell = 0; cell < ALLEGRA_CELL_COUNT; cell++) {
        static const char signs[] = {'?', '.', '_'};

        if (cell > 0)
            fputs(cell % ALLEGRA_CELL_COLUMNS == 0 ? " / " : " ", file);
        if (face[cell] >= ALLEGRA_VIEW_DOWN)
            fputc(signs[face[cell] - ALLEGRA_VIEW_DOWN], file);
        else
            fprintf(file, "%d", face[cell]);
    }
}

/* Cards that the question is about. */
static void print_cards(FILE *file, const struct review_answer *answer)
{
    struct allegra_view view = allegra_view_of(&answer->table, answer->seat);
    const struct {
        const char *name;
        int card;
    } cards[] = {
        {"drawn", view.drawn},
        {"taken", view.taken},
        {"hand", view.hand},
        {"discard pile", view.discard_top},
    };

    for (size_t i = 0; i < ARRAY_LEN(cards); i++) {
        if (cards[i].card >= ALLEGRA_CARD_MIN && cards[i].card <= ALLEGRA_CARD_MAX)
            fprintf(file, "; %s %d", cards[i].name, cards[i].card);
    }
}

/* The command that asks a bot the same question. Without the seed of the match `replay` does not
 * give a position, so the text itself is printed. */
static void print_command(FILE *file, const struct cmd_review *command,
                          const struct review_answer *answer)
{
    char position[ALLEGRA_POSITION_MAX];
    struct text text;

    if (replay_has_seed(command->replay)) {
        fprintf(file, "    referee replay --at %lu %s | referee ask --seat %u BOT -\n",
                answer->number, command->path, answer->seat);
        return;
    }
    text_start(&text, position, sizeof position);
    cmd_review_write_position(&text, answer);
    fprintf(file, "    referee ask --seat %u BOT '%s'\n", answer->seat, position);
}

static void print_decision(FILE *file, const struct cmd_review *command, unsigned number,
                           const struct review_answer *answer)
{
    struct judge_cost cost = review_cost(answer);
    char played[40];
    char better[40];
    struct text text;

    text_start(&text, played, sizeof played);
    answer_write(&text, answer->played);
    text_start(&text, better, sizeof better);
    answer_write(&text, answer->top[0].answer);
    fprintf(file,
            "%u. Decision %lu (round %u, turn %u): %s played `%s`; `%s` was better.\n"
            "   It cost %.1f ± %.1f points and %.0f ± %.0f %% of the win%s.\n"
            "   `%s`; display ",
            number, answer->number, answer->table.round, answer->table.turn,
            cmd_review_name(command, answer->seat), played, better, cost.points.mean,
            cost.points.error, 100 * cost.wins.mean, 100 * cost.wins.error,
            answer->confirmed.samples > 1 ? "" : " (not confirmed)",
            allegra_question_name(allegra_table_question(&answer->table)));
    print_display(file, answer);
    print_cards(file, answer);
    fputc('\n', file);
    print_command(file, command, answer);
}

static void print_worst(FILE *file, const struct cmd_review *command)
{
    int seat = command->settings->seat;
    const struct review_answer *worst[CMD_REVIEW_WORST];
    unsigned count = review_find_worst(
        command->review, seat < 0 ? ALLEGRA_SEAT_NONE : (unsigned)seat, worst, CMD_REVIEW_WORST);

    if (count == 0) {
        fputs("\nNo decision surely cost anything.\n", file);
        return;
    }
    fprintf(file, "\n%s, where a whole win counts like %d points:\n",
            count < CMD_REVIEW_WORST ? "Decisions that surely cost something"
                                     : "The worst decisions",
            JUDGE_WIN_POINTS);
    for (unsigned i = 0; i < count; i++)
        print_decision(file, command, i + 1, worst[i]);
}

/* --- Luck --- */

/* The step with the most luck of a seat, beyond `limit`; `sign` is 1 for bad luck and -1 for good
 * luck. NULL: none. */
static const struct review_step *find_luck(const struct review *review, unsigned seat, double sign,
                                           double limit)
{
    const struct review_step *found = NULL;

    for (size_t i = 0; i < review->step_count; i++) {
        double points = sign * review->steps[i].luck.points[seat];

        if (points > 0 && points < limit &&
            (found == NULL || points > sign * found->luck.points[seat]))
            found = &review->steps[i];
    }
    return found;
}

static void print_card(FILE *file, const struct cmd_review *command, unsigned seat,
                       const struct review_step *step)
{
    static const char *const verbs[LUCK_KINDS] = {
        [LUCK_REVEAL] = "turns up", [LUCK_DRAW] = "draws", [LUCK_TURN] = "turns up",
        [LUCK_SWAP] = "uncovers",   [LUCK_SHOW] = NULL,
    };

    fprintf(file, "%+.1f at decision %lu", step->luck.points[seat], step->number);
    if (step->card == ALLEGRA_CARD_NONE || verbs[step->luck.kind] == NULL)
        fputs(" (the cards shown at the end of the round)", file);
    else
        fprintf(file, " (%s %s %d)", cmd_review_name(command, step->luck.seat),
                verbs[step->luck.kind], step->card);
}

static void print_luck_of(FILE *file, const struct cmd_review *command, unsigned seat)
{
    static const struct {
        const char *title;
        double sign;
    } sides[] = {{"luckiest", -1}, {"unluckiest", 1}};

    fprintf(file, "%s:", cmd_review_name(command, seat));
    for (size_t side = 0; side < ARRAY_LEN(sides); side++) {
        double limit = INFINITY;

        fprintf(file, "%s %s", side > 0 ? ";" : "", sides[side].title);
        for (unsigned i = 0; i < CARDS; i++) {
            const struct review_step *step =
                find_luck(command->review, seat, sides[side].sign, limit);

            if (step == NULL)
                break;
            fputs(i > 0 ? ", " : " ", file);
            print_card(file, command, seat, step);
            limit = sides[side].sign * step->luck.points[seat];
        }
    }
    fputc('\n', file);
}

void cmd_review_print(FILE *file, const struct cmd_review *command)
{
    print_title(file, command);
    print_seats(file, command);
    print_skipped(file, command);
    print_unconfirmed(file, command->review);
    print_worst(file, command);
    fputs("\nLuck in points, of the cards that mattered most:\n", file);
    for (unsigned seat = 0; seat < command->review->seats; seat++) {
        if (cmd_review_is_judged(command, seat))
            print_luck_of(file, command, seat);
    }
}
