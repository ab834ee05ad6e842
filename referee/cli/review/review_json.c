/* The review as JSON: everything for programs, and a smaller document for the page. */

#include "cli/review/cmd_review.h"

#include "game/game_text.h"

static void put_answer(struct json_writer *json, const char *key, struct allegra_answer answer)
{
    char action[40];
    struct text text;

    text_start(&text, action, sizeof action);
    answer_write(&text, answer);
    json_put_text(json, key, action);
}

/* Members of a map: points and share of the win, each with its standard error. */
static void put_figures(struct json_writer *json, struct judge_estimate points,
                        struct judge_estimate wins)
{
    json_put_decimal(json, "points", points.mean, 2);
    json_put_decimal(json, "points_error", points.error, 2);
    json_put_decimal(json, "wins", wins.mean, 4);
    json_put_decimal(json, "wins_error", wins.error, 4);
}

static void put_decimals(struct json_writer *json, const char *key, const double *values,
                         unsigned count, unsigned digits)
{
    json_key(json, key);
    json_open_list(json);
    for (unsigned i = 0; i < count; i++)
        json_decimal(json, values[i], digits);
    json_close_list(json);
}

static void write_seat(struct json_writer *json, const struct cmd_review *command, unsigned seat)
{
    static const char *const kinds[REVIEW_KINDS] = {
        [REVIEW_CHOICE] = "choices",
        [REVIEW_FORCED] = "forced",
        [REVIEW_AUTOPILOT] = "autopilot",
        [REVIEW_GIVEN] = "given",
    };
    const struct review *review = command->review;
    const struct luck_sum *luck = &review->luck.of[seat];
    struct judge_cost rate = review_rate(review, seat);

    json_open_map(json);
    json_put_number(json, "seat", seat);
    json_put_text(json, "name", cmd_review_name(command, seat));
    if (review->is_over)
        json_put_number(json, "place", cmd_review_place(command, seat));
    json_put_decimal(json, "points", review->totals[seat], 1);
    json_put_decimal(json, "luck_points", luck->points, 2);
    json_put_decimal(json, "luck_wins", luck->wins, 4);
    json_put_decimal(json, "points_without_luck", review->totals[seat] - luck->points, 2);
    for (unsigned kind = 0; kind < REVIEW_KINDS; kind++)
        json_put_number(json, kinds[kind], cmd_review_count(review, seat, (enum review_kind)kind));
    if (cmd_review_is_judged(command, seat)) {
        json_key(json, "lost_per_round");
        json_open_map(json);
        put_figures(json, rate.points, rate.wins);
        json_close_map(json);
    }
    json_close_map(json);
}

static void write_top(struct json_writer *json, const struct review_answer *answer)
{
    json_key(json, "best");
    json_open_list(json);
    for (unsigned i = 0; i < answer->top_count; i++) {
        json_open_map(json);
        put_answer(json, "do", answer->top[i].answer);
        put_figures(json, answer->top[i].points, answer->top[i].wins);
        json_close_map(json);
    }
    json_close_list(json);
}

/* Members of a map: what was played, and what it cost against a better answer, if there is one. */
static void put_cost(struct json_writer *json, const struct review_answer *answer)
{
    struct judge_cost cost = review_cost(answer);

    json_put_number(json, "n", (long long)answer->number);
    json_put_number(json, "seat", answer->seat);
    put_answer(json, "do", answer->played);
    if (answer->is_best)
        return;
    put_answer(json, "better", answer->top[0].answer);
    put_figures(json, cost.points, cost.wins);
    json_put_flag(json, "sure", review_is_blunder(answer));
}

static void write_position(struct json_writer *json, const struct review_answer *answer)
{
    char position[ALLEGRA_POSITION_MAX];
    struct text text;

    text_start(&text, position, sizeof position);
    cmd_review_write_position(&text, answer);
    json_put_text(json, "position", position);
}

static void write_decision(struct json_writer *json, const struct review_answer *answer)
{
    json_open_map(json);
    put_cost(json, answer);
    json_put_number(json, "round", answer->table.round);
    json_put_number(json, "turn", answer->table.turn);
    json_put_text(json, "question", allegra_question_name(allegra_table_question(&answer->table)));
    json_put_number(json, "whole_deals", answer->confirmed.samples);
    write_top(json, answer);
    if (review_is_blunder(answer))
        write_position(json, answer);
    json_close_map(json);
}

static void write_step(struct json_writer *json, const struct review *review,
                       const struct review_step *step)
{
    json_open_map(json);
    json_put_number(json, "n", (long long)step->number);
    put_decimals(json, "chances", step->before.wins, review->seats, 4);
    put_decimals(json, "expected", step->before.points, review->seats, 2);
    if (step->luck.kind != LUCK_NONE) {
        json_put_text(json, "luck", luck_kind_name(step->luck.kind));
        put_decimals(json, "luck_points", step->luck.points, review->seats, 2);
        put_decimals(json, "luck_wins", step->luck.wins, review->seats, 4);
    }
    json_close_map(json);
}

static void write_typical(struct json_writer *json)
{
    json_key(json, "typical_points_per_round");
    json_open_map(json);
    for (size_t i = 0; i < CMD_REVIEW_TYPICAL; i++)
        json_put_decimal(json, cmd_review_typical[i].bot, cmd_review_typical[i].points, 0);
    json_close_map(json);
}

static void write_worst(struct json_writer *json, const struct cmd_review *command)
{
    int seat = command->settings->seat;
    const struct review_answer *worst[CMD_REVIEW_WORST];
    unsigned count = review_find_worst(
        command->review, seat < 0 ? ALLEGRA_SEAT_NONE : (unsigned)seat, worst, CMD_REVIEW_WORST);

    json_key(json, "worst");
    json_open_list(json);
    for (unsigned i = 0; i < count; i++)
        write_decision(json, worst[i]);
    json_close_list(json);
}

static bool is_listed(const struct review_answer *answer)
{
    return answer->kind == REVIEW_CHOICE && answer->top_count > 0;
}

void cmd_review_write_json(struct json_writer *json, const struct cmd_review *command)
{
    const struct review *review = command->review;

    json_open_map(json);
    json_put_text(json, "log", command->path);
    json_put_flag(json, "finished", review->is_over);
    json_put_number(json, "rounds", review->rounds);
    json_key(json, "seats");
    json_open_list(json);
    for (unsigned seat = 0; seat < review->seats; seat++)
        write_seat(json, command, seat);
    json_close_list(json);
    write_typical(json);
    write_worst(json, command);
    json_key(json, "decisions");
    json_open_list(json);
    for (size_t i = 0; i < review->answer_count; i++) {
        if (is_listed(&review->answers[i]))
            write_decision(json, &review->answers[i]);
    }
    json_close_list(json);
    json_key(json, "moments");
    json_open_list(json);
    for (size_t i = 0; i < review->step_count; i++)
        write_step(json, review, &review->steps[i]);
    json_close_list(json);
    put_decimals(json, "end", review->end.wins, review->seats, 4);
    json_close_map(json);
}

/* --- The page --- */

static void write_page_answer(struct json_writer *json, const struct review_answer *answer)
{
    json_open_map(json);
    put_cost(json, answer);
    if (!answer->is_best)
        write_top(json, answer);
    json_close_map(json);
}

static void write_page_luck(struct json_writer *json, const struct review *review,
                            const struct review_step *step)
{
    json_open_map(json);
    json_put_number(json, "n", (long long)step->number);
    put_decimals(json, "points", step->luck.points, review->seats, 1);
    json_close_map(json);
}

void cmd_review_write_page_data(struct json_writer *json, const struct cmd_review *command)
{
    const struct review *review = command->review;

    json_open_map(json);
    json_key(json, "chances");
    json_open_list(json);
    for (size_t i = 0; i <= review->step_count; i++) {
        const struct value *value =
            i < review->step_count ? &review->steps[i].before : &review->end;

        json_open_list(json);
        for (unsigned seat = 0; seat < review->seats; seat++)
            json_decimal(json, value->wins[seat], 3);
        json_close_list(json);
    }
    json_close_list(json);
    json_key(json, "luck");
    json_open_list(json);
    for (size_t i = 0; i < review->step_count; i++) {
        if (review->steps[i].luck.kind != LUCK_NONE)
            write_page_luck(json, review, &review->steps[i]);
    }
    json_close_list(json);
    json_key(json, "answers");
    json_open_list(json);
    for (size_t i = 0; i < review->answer_count; i++) {
        if (is_listed(&review->answers[i]))
            write_page_answer(json, &review->answers[i]);
    }
    json_close_list(json);
    json_close_map(json);
}
