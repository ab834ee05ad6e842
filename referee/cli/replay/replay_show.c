/* Showing a logged match: all of it, one round, one moment; as anybody, as one seat; in words, as event
 * lines, as JSON. Everything from a log is printed as visible text. */

#include "base/message.h"
#include "base/escape.h"
#include "cli/cli.h"
#include "cli/replay/cmd_replay.h"
#include "cli/table_view.h"
#include "game/position.h"
#include "wire/json_write.h"

#include <stdlib.h>
#include <string.h>

void replay_print_safe(FILE *file, const char *words)
{
    char buffer[4096];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    escape_add(&text, span_of(words));
    fputs(buffer, file);
}

void replay_say_wrong(const char *path, const char *words)
{
    message_say("%s: %s", path, words);
}

struct replay *replay_load_or_say(const char *path, replay_tap_fn *tap, void *context)
{
    char words[1300];
    struct text problem;
    struct replay *replay;

    text_start(&problem, words, sizeof words);
    replay = replay_load(path, tap, context, &problem);
    if (replay == NULL)
        replay_say_wrong(path, words);
    return replay;
}

int replay_go_to(struct replay *replay, const char *path, unsigned long number)
{
    char words[1300];
    struct text problem;

    text_start(&problem, words, sizeof words);
    while (!match_is_over(replay_match(replay)) &&
           match_decisions(replay_match(replay)) + 1 < number) {
        if (replay_next(replay, &problem) < 0) {
            replay_say_wrong(path, words);
            return -1;
        }
    }
    return 0;
}

void replay_show_events(FILE *file, const struct replay *replay, int seat)
{
    const struct match *match = replay_match(replay);
    const struct allegra_events *events = replay_events(replay);
    char words[160];
    struct text text;

    for (unsigned i = 0; i < events->count; i++) {
        struct allegra_event event = seat == REPLAY_NO_SEAT
                                         ? events->list[i]
                                         : allegra_event_hide(events->list[i], (unsigned)seat);

        text_start(&text, words, sizeof words);
        if (table_view_event_text(&text, &event, match_setup_of(match)->names))
            fprintf(file, "    %s\n", words);
    }
}

static void print_fault(FILE *file, const struct match *match, const struct log_record_fault *fault)
{
    fprintf(file, "  %s is dismissed: ", match_setup_of(match)->names[fault->seat]);
    replay_print_safe(file, fault->code);
    fputs(": ", file);
    replay_print_safe(file, fault->words);
    if (fault->line[0] != '\0') {
        fputs("; its line: ", file);
        replay_print_safe(file, fault->line);
    }
    fputc('\n', file);
}

static void print_answer(FILE *file, const struct match *match,
                         const struct log_record_answer *answer)
{
    const struct match_setup *setup = match_setup_of(match);
    char words[40];
    struct text text;

    text_start(&text, words, sizeof words);
    answer_write(&text, answer->answer);
    fprintf(file, "%5lu %s: %s", match_decisions(match) + 1, setup->names[answer->seat], words);
    if (answer->is_autopilot)
        fputs(" (autopilot)", file);
    else if (answer->is_given)
        fputs(" (from the log that this one branches off)", file);
    else
        fprintf(file, " (%.3f ms)", (double)answer->charged_us / 1e3);
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
    char words[ALLEGRA_POSITION_MAX];
    struct text text;

    text_start(&text, words, sizeof words);
    position_write(&text, table);
    fprintf(file, "position for `referee ask`:\n%s\n", words);
}

void replay_show_moment(FILE *file, const struct replay *replay, int seat, bool has_colour)
{
    const struct match *match = replay_match(replay);
    struct allegra_view view =
        allegra_view_of(match_table(match), seat == REPLAY_NO_SEAT ? 0U : (unsigned)seat);

    table_view_show(file, &view, match_setup_of(match)->names, has_colour);
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

    printf("%s, %u seats, %lu decisions:",
           allegra_rules_edition_name((enum allegra_rules_edition)setup->rules.edition),
           setup->seats, replay_decisions(replay));
    for (unsigned seat = 0; seat < setup->seats; seat++)
        printf(" %u %s", seat, setup->names[seat]);
    putchar('\n');
}

/* The round to which an event belongs: a decision can end one and begin the next. */
static long round_of(const struct replay *replay, unsigned index)
{
    const struct allegra_events *events = replay_events(replay);
    long round = match_table(replay_match(replay))->round;

    for (unsigned i = index + 1; i < events->count; i++)
        round -= events->list[i].kind == ALLEGRA_EVENT_ROUND;
    return round;
}

static void print_event_lines(const struct replay_settings *settings, const struct replay *replay)
{
    const struct allegra_events *events = replay_events(replay);
    int seat = settings->seat;
    char line[200];
    struct text text;

    for (unsigned i = 0; i < events->count; i++) {
        struct allegra_event event = seat == REPLAY_NO_SEAT
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
        char words[40];
        struct text text;

        text_start(&text, words, sizeof words);
        answer_write(&text, answers[i].answer);
        json_open_map(json);
        json_key(json, "seat");
        json_number(json, answers[i].seat);
        json_key(json, "do");
        json_text(json, words);
        json_key(json, "us");
        json_number(json, answers[i].charged_us);
        json_key(json, "autopilot");
        json_flag(json, answers[i].is_autopilot);
        json_close_map(json);
    }
    json_close_list(json);
}

/* The table as the seat saw it, in the lines of the protocol; without a seat also as a position. */
static void write_json_table(struct json_writer *json, const struct allegra_table *table, int seat)
{
    struct allegra_view view = allegra_view_of(table, seat == REPLAY_NO_SEAT ? 0U : (unsigned)seat);
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
    if (seat != REPLAY_NO_SEAT)
        return;
    text_start(&text, bytes, sizeof bytes);
    position_write(&text, table);
    json_key(json, "position");
    json_text(json, bytes);
}

static void print_json(const struct replay *replay, int seat)
{
    struct json_writer *json = json_writer_new(false);
    const struct match *match = replay_match(replay);
    const struct allegra_table *table = match_table(match);
    const char *bytes;
    size_t length;

    json_open_map(json);
    json_key(json, "n");
    json_number(json, (long long)match_decisions(match) + 1);
    json_key(json, "question");
    json_text(json, allegra_question_name(allegra_table_question(table)));
    json_key(json, "answers");
    write_json_answers(json, replay);
    write_json_table(json, table, seat);
    json_close_map(json);
    bytes = json_writer_bytes(json, &length);
    fwrite(bytes, 1, length, stdout);
    putchar('\n');
    json_writer_free(json);
}

static bool is_shown(const struct replay_settings *settings, const struct replay *replay)
{
    const struct allegra_table *table = match_table(replay_match(replay));

    return settings->round < 0 || table->round == settings->round;
}

/* One decision and what came of it. Returns what replay_next() does. */
static int show_decision(const struct replay_settings *settings, struct replay *replay,
                         struct text *problem)
{
    bool shows = is_shown(settings, replay);
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
        replay_show_events(stdout, replay, settings->seat);
    return result;
}

static void print_places(const struct match *match)
{
    struct table_view *show = table_view_new(stdout, false);

    table_view_result(show, match);
    table_view_free(show);
}

static int show_all(const struct replay_settings *settings, struct replay *replay, const char *path)
{
    bool is_plain = !settings->is_json && !settings->is_events;
    char words[1300];
    struct text problem;

    text_start(&problem, words, sizeof words);
    if (is_plain)
        print_title(replay);
    if (settings->is_events)
        print_event_lines(settings, replay);
    while (!match_is_over(replay_match(replay))) {
        if (show_decision(settings, replay, &problem) < 0) {
            fflush(stdout);
            replay_say_wrong(path, words);
            return CLI_FAILED;
        }
    }
    if (is_plain)
        print_places(replay_match(replay));
    return CLI_FINE;
}

static int show_at(const struct replay_settings *settings, struct replay *replay, const char *path)
{
    if (replay_go_to(replay, path, (unsigned long)settings->at) != 0)
        return CLI_FAILED;
    if (match_decisions(replay_match(replay)) + 1 < (unsigned long)settings->at) {
        message_say("%s: there are only %lu decisions", path,
                    match_decisions(replay_match(replay)));
        return CLI_USAGE;
    }
    if (settings->is_json) {
        print_json(replay, settings->seat);
        return CLI_FINE;
    }
    print_title(replay);
    replay_show_moment(stdout, replay, settings->seat, table_view_has_colour(stdout));
    if (settings->seat == REPLAY_NO_SEAT)
        print_position(stdout, match_table(replay_match(replay)));
    return CLI_FINE;
}

bool replay_has_seat(const struct replay *replay, int seat, const char *path)
{
    if (seat < (int)match_setup_of(replay_match(replay))->seats)
        return true;
    message_say("%s: there is no seat %d", path, seat);
    return false;
}

int replay_show(const struct replay_settings *settings, const char *path)
{
    struct replay *replay = replay_load_or_say(path, NULL, NULL);
    int code;

    if (replay == NULL)
        return CLI_FAILED;
    if (!replay_has_seat(replay, settings->seat, path))
        code = CLI_USAGE;
    else if (settings->is_step)
        code = replay_step(replay, path, settings->seat);
    else if (settings->at > 0)
        code = show_at(settings, replay, path);
    else
        code = show_all(settings, replay, path);
    replay_free(replay);
    return code;
}
