/* Shows a logged match: all of it, one round or one moment; as a spectator or as one seat; as
 * sentences, as event lines or as JSON. */

#include "base/message.h"
#include "base/escape.h"
#include "cli/cli.h"
#include "cli/replay/cmd_replay.h"
#include "cli/event_sentence.h"
#include "cli/table_draw.h"
#include "cli/table_view.h"
#include "game/game_text.h"
#include "game/position.h"
#include "wire/json_write.h"

#include <stdlib.h>
#include <string.h>

struct replay *cmd_replay_load(const char *path, replay_tap_fn *tap, void *context)
{
    char message[1300];
    struct text problem;
    struct replay *replay;

    text_start(&problem, message, sizeof message);
    replay = replay_load(path, tap, context, &problem);
    if (replay == NULL)
        message_say("%s: %s", path, message);
    return replay;
}

/* Nothing may be tapped before it is known that the log is whole. */
struct replay *cmd_replay_load_whole(const char *path, replay_tap_fn *tap, void *context,
                                     const char *what)
{
    struct replay *replay = cmd_replay_load(path, NULL, NULL);
    bool is_whole = replay != NULL && replay_cut(replay) == NULL;

    if (replay != NULL && !is_whole)
        message_say("%s: %s, and %s needs all of it", path, replay_cut(replay), what);
    if (is_whole && tap == NULL)
        return replay;
    replay_free(replay);
    return is_whole ? cmd_replay_load(path, tap, context) : NULL;
}

void cmd_replay_say_cut(const struct replay *replay, const char *path)
{
    fflush(stdout);
    if (replay_cut(replay) != NULL)
        message_say("%s: %s", path, replay_cut(replay));
}

bool cmd_replay_has_seat(const struct replay *replay, const char *option, int seat)
{
    int seats = (int)match_setup_of(replay_match(replay))->seats;

    if (seat < seats)
        return true;
    message_say("%s takes 0 to %d", option, seats - 1);
    return false;
}

bool cmd_replay_has_decision(const char *option, long number, unsigned long most)
{
    if (number == CMD_REPLAY_NO_NUMBER || (number >= 1 && (unsigned long)number <= most))
        return true;
    message_say("%s takes 1 to %lu", option, most);
    return false;
}

int cmd_replay_go_to(struct replay *replay, const char *path, unsigned long number)
{
    char message[1300];
    struct text problem;
    int result = 1;

    text_start(&problem, message, sizeof message);
    while (result > 0 && match_decisions(replay_match(replay)) + 1 < number)
        result = replay_next(replay, &problem);
    if (result < 0)
        message_say("%s: %s", path, message);
    return result < 0 ? -1 : 0;
}

/* What comes from a log is printed as visible text. */
static void print_escaped(FILE *file, const char *string)
{
    char buffer[4096];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    escape_add(&text, span_of(string));
    fputs(buffer, file);
}

void cmd_replay_print_events(FILE *file, const struct replay *replay, int seat)
{
    const struct match *match = replay_match(replay);
    const struct allegra_events *events = replay_events(replay);
    char line[EVENT_SENTENCE_BYTES];
    struct text text;

    for (unsigned i = 0; i < events->count; i++) {
        struct allegra_event event = seat == CMD_REPLAY_NO_SEAT
                                         ? events->list[i]
                                         : allegra_event_hide(events->list[i], (unsigned)seat);

        text_start(&text, line, sizeof line);
        if (event_sentence_write(&text, &event, match_setup_of(match)->names))
            fprintf(file, "    %s\n", line);
    }
}

static void print_fault(FILE *file, const struct match *match, const struct log_record_fault *fault)
{
    fprintf(file, "  %s is dismissed: ", match_setup_of(match)->names[fault->seat]);
    print_escaped(file, fault->code);
    fputs(": ", file);
    print_escaped(file, fault->message);
    if (fault->line[0] != '\0') {
        fputs("; its line: `", file);
        print_escaped(file, fault->line);
        fputc('`', file);
    }
    fputc('\n', file);
}

static void print_answer(FILE *file, const struct match *match,
                         const struct log_record_answer *answer)
{
    const struct match_setup *setup = match_setup_of(match);
    char action[40];
    struct text text;

    text_start(&text, action, sizeof action);
    answer_write(&text, answer->answer);
    fprintf(file, "%5lu %s: %s", match_decisions(match) + 1, setup->names[answer->seat], action);
    if (answer->is_autopilot)
        fputs(" (autopilot)", file);
    else if (answer->is_given)
        fputs(" (from the log that this match branches off)", file);
    else
        fprintf(file, " (%.3f ms)", (double)answer->time.charged_us / 1e3);
    for (unsigned i = 0; i < answer->say_count; i++)
        fprintf(file, " says \"%s\"", answer->says[i]);
    fputc('\n', file);
}

static void print_decision(FILE *file, const struct replay *replay)
{
    const struct match *match = replay_match(replay);
    unsigned count;
    const struct log_record_fault *faults = replay_faults(replay, &count);
    const struct log_record_answer *answers;

    for (unsigned i = 0; i < count; i++)
        print_fault(file, match, &faults[i]);
    answers = replay_answers(replay, &count);
    for (unsigned i = 0; i < count; i++)
        print_answer(file, match, &answers[i]);
}

static void print_position(FILE *file, const struct allegra_table *table)
{
    char position[ALLEGRA_POSITION_MAX];
    struct text text;

    text_start(&text, position, sizeof position);
    position_write(&text, table);
    fprintf(file, "position for `referee ask`:\n%s\n", position);
}

void cmd_replay_print_moment(FILE *file, const struct replay *replay, int seat, bool has_colour)
{
    const struct match *match = replay_match(replay);
    struct allegra_view view =
        allegra_view_of(match_table(match), seat == CMD_REPLAY_NO_SEAT ? 0U : (unsigned)seat);
    uint16_t changed[ALLEGRA_SEATS_MAX] = {0};
    struct table_drawing drawing = {
        .view = &view,
        .names = match_setup_of(match)->names,
        .changed = changed,
        .width = table_draw_width(stdout),
        .is_over = match_is_over(match),
        .has_colour = has_colour,
    };

    table_draw_add_changes(changed, replay_events(replay));
    table_draw(file, &drawing);
    if (match_is_over(match)) {
        fputs("the match is over\n", file);
        return;
    }
    fprintf(file, "question `%s`",
            allegra_question_name(allegra_table_question(match_table(match))));
    if (view.drawn != ALLEGRA_CARD_NONE)
        fprintf(file, ", drawn %d", view.drawn);
    fputc('\n', file);
    print_decision(file, replay);
}

static void print_title(const struct replay *replay)
{
    const struct match_setup *setup = match_setup_of(replay_match(replay));

    printf("%s%s%s, %u seats, %lu decisions:",
           allegra_edition_name((enum allegra_edition)setup->rules.edition),
           setup->variant[0] != '\0' ? ", variant " : "", setup->variant, setup->seats,
           replay_decisions(replay));
    for (unsigned seat = 0; seat < setup->seats; seat++)
        printf(" %u %s", seat, setup->names[seat]);
    putchar('\n');
}

/* The round that an event belongs to: a decision can end one round and start the next. */
static long round_of(const struct replay *replay, unsigned index)
{
    const struct allegra_events *events = replay_events(replay);
    long round = match_table(replay_match(replay))->round;

    for (unsigned i = index + 1; i < events->count; i++)
        round -= events->list[i].kind == ALLEGRA_EVENT_ROUND;
    return round;
}

static void print_event_lines(const struct cmd_replay_settings *settings,
                              const struct replay *replay)
{
    const struct allegra_events *events = replay_events(replay);
    int seat = settings->seat;
    char line[200];
    struct text text;

    for (unsigned i = 0; i < events->count; i++) {
        struct allegra_event event = seat == CMD_REPLAY_NO_SEAT
                                         ? events->list[i]
                                         : allegra_event_hide(events->list[i], (unsigned)seat);

        if (settings->round > 0 && round_of(replay, i) != settings->round)
            continue;

        text_start(&text, line, sizeof line);
        bot_line_write_event(&text, &event, false);
        printf("%lu %s\n", match_decisions(replay_match(replay)), line);
    }
}

static void write_json_answers(struct json_writer *json, const struct replay *replay)
{
    unsigned count;
    const struct log_record_answer *answers = replay_answers(replay, &count);

    json_open_list(json);
    for (unsigned i = 0; i < count; i++) {
        char action[40];
        struct text text;

        text_start(&text, action, sizeof action);
        answer_write(&text, answers[i].answer);
        json_open_map(json);
        json_put_number(json, "seat", answers[i].seat);
        json_put_text(json, "do", action);
        json_put_number(json, "us", answers[i].time.charged_us);
        json_put_flag(json, "autopilot", answers[i].is_autopilot);
        json_close_map(json);
    }
    json_close_list(json);
}

/* Writes the table as the seat sees it, in the lines of the protocol; without a seat also as a
 * position, if all its cards are known. */
static void write_json_table(struct json_writer *json, const struct replay *replay, int seat)
{
    const struct allegra_table *table = match_table(replay_match(replay));
    struct allegra_view view =
        allegra_view_of(table, seat == CMD_REPLAY_NO_SEAT ? 0U : (unsigned)seat);
    char bytes[ALLEGRA_POSITION_MAX];
    struct text text;
    struct span rest;

    text_start(&text, bytes, sizeof bytes);
    bot_line_write_table(&text, &view);
    rest = (struct span){bytes, text.length - 1};
    json_key(json, "table");
    json_open_list(json);
    while (rest.start != NULL) {
        struct span line = span_cut(&rest, '\n');

        json_text_bytes(json, line.start, line.length);
    }
    json_close_list(json);
    if (seat != CMD_REPLAY_NO_SEAT || !replay_has_seed(replay))
        return;
    text_start(&text, bytes, sizeof bytes);
    position_write(&text, table);
    json_put_text(json, "position", bytes);
}

static void print_json(const struct replay *replay, int seat)
{
    struct json_writer *json = json_writer_new(false);
    const struct match *match = replay_match(replay);
    const struct allegra_table *table = match_table(match);
    const char *bytes;
    size_t length;

    json_open_map(json);
    json_put_number(json, "n", (long long)match_decisions(match) + 1);
    json_put_text(json, "question", allegra_question_name(allegra_table_question(table)));
    json_key(json, "answers");
    write_json_answers(json, replay);
    write_json_table(json, replay, seat);
    json_close_map(json);
    bytes = json_writer_bytes(json, &length);
    fwrite(bytes, 1, length, stdout);
    putchar('\n');
    json_writer_free(json);
}

static bool is_shown(const struct cmd_replay_settings *settings, const struct replay *replay)
{
    return settings->round == 0 || match_table(replay_match(replay))->round == settings->round;
}

/* Whether a decision comes next, or at least the faults of one. */
static bool has_next(const struct replay *replay)
{
    unsigned answers;
    unsigned faults;

    (void)replay_answers(replay, &answers);
    (void)replay_faults(replay, &faults);
    return answers + faults > 0;
}

/* Shows one decision and its events. Returns what replay_next() does. */
static int show_decision(const struct cmd_replay_settings *settings, struct replay *replay,
                         struct text *problem)
{
    bool shows = is_shown(settings, replay) && has_next(replay);
    int result;

    if (shows && settings->is_json)
        print_json(replay, settings->seat);
    else if (shows && !settings->is_events)
        print_decision(stdout, replay);
    result = replay_next(replay, problem);
    if (result <= 0 || settings->is_json || !(shows || is_shown(settings, replay)))
        return result;
    if (settings->is_events)
        print_event_lines(settings, replay);
    else
        cmd_replay_print_events(stdout, replay, settings->seat);
    return result;
}

/* How many rounds there are is known when all of them were played. */
static bool has_round(const struct cmd_replay_settings *settings, const char *path)
{
    struct replay *replay = settings->round > 0 ? cmd_replay_load(path, NULL, NULL) : NULL;
    unsigned rounds;
    bool has = true;

    if (replay != NULL && cmd_replay_go_to(replay, path, ULONG_MAX) == 0) {
        rounds = match_table(replay_match(replay))->round;
        has = settings->round <= (long)rounds;
        if (!has)
            message_say("--round takes 1 to %u", rounds);
    }
    replay_free(replay);
    return has;
}

static int show_all(const struct cmd_replay_settings *settings, struct replay *replay,
                    const char *path)
{
    bool is_plain = !settings->is_json && !settings->is_events;
    struct score_sheet sheet = {.seats = 0};
    char message[1300];
    struct text problem;
    int result;

    text_start(&problem, message, sizeof message);
    if (is_plain)
        print_title(replay);
    if (is_plain && is_shown(settings, replay))
        cmd_replay_print_events(stdout, replay, settings->seat);
    if (settings->is_events)
        print_event_lines(settings, replay);
    do {
        (void)score_sheet_add(&sheet, replay_events(replay));
        result = show_decision(settings, replay, &problem);
    } while (result > 0);
    if (result < 0) {
        fflush(stdout);
        message_say("%s: %s", path, message);
        return CLI_FAILED;
    }
    if (is_plain && match_is_over(replay_match(replay)))
        table_view_print_result(stdout, replay_match(replay), &sheet);
    cmd_replay_say_cut(replay, path);
    return CLI_FINE;
}

static int show_at(const struct cmd_replay_settings *settings, struct replay *replay,
                   const char *path)
{
    if (cmd_replay_go_to(replay, path, (unsigned long)settings->at) != 0)
        return CLI_FAILED;
    if (settings->is_json) {
        print_json(replay, settings->seat);
    } else {
        print_title(replay);
        cmd_replay_print_moment(stdout, replay, settings->seat, table_draw_has_colour(stdout));
        if (settings->seat == CMD_REPLAY_NO_SEAT && replay_has_seed(replay))
            print_position(stdout, match_table(replay_match(replay)));
    }
    cmd_replay_say_cut(replay, path);
    return CLI_FINE;
}

int cmd_replay_show(const struct cmd_replay_settings *settings, const char *path)
{
    struct replay *replay = cmd_replay_load(path, NULL, NULL);
    int code;

    if (replay == NULL)
        return CLI_FAILED;
    if (!cmd_replay_has_seat(replay, "--seat", settings->seat) ||
        !cmd_replay_has_decision("--at", settings->at, replay_decisions(replay) + 1) ||
        !has_round(settings, path))
        code = CLI_USAGE;
    else if (settings->is_step)
        code = cmd_replay_step(replay, path, settings->seat);
    else if (settings->at != CMD_REPLAY_NO_NUMBER)
        code = show_at(settings, replay, path);
    else
        code = show_all(settings, replay, path);
    replay_free(replay);
    return code;
}
