/* `referee replay` shows a logged match, proves it, and puts a bot back into it. Every way of looking at
 * a log goes through struct replay, which plays it again by the rules; so whatever is shown is true. */

#include "cli/replay.h"

#include "base/chance.h"
#include "base/message.h"
#include "bot/escape.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/show.h"
#include "game/position.h"
#include "wire/json.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTION_AT,
    OPTION_ROUND,
    OPTION_SEAT,
    OPTION_EVENTS,
    OPTION_STEP,
    OPTION_JSON,
    OPTION_VERIFY,
    OPTION_WIRE,
    OPTION_AGAINST,
    OPTION_ALL,
    OPTION_DEBUGGER,
    OPTION_FROM,
    OPTION_BRANCH,
    OPTION_LOG,
    OPTION_MOVE_MS,
};

static const struct option_row rows[] = {
    [OPTION_AT] = {"--at", "N", "show the table at decision N"},
    [OPTION_ROUND] = {"--round", "R", "show only round R"},
    [OPTION_SEAT] = {"--seat", "S", "show it as seat S saw it"},
    [OPTION_EVENTS] = {"--events", NULL, "print one line for each event"},
    [OPTION_STEP] = {"--step", NULL, "step through it in the terminal"},
    [OPTION_JSON] = {"--json", NULL, "print one JSON document for each decision"},
    [OPTION_VERIFY] = {"--verify", NULL, "prove each LOG: deal, rules, scores, bytes, hashes"},
    [OPTION_WIRE] = {"--wire", "S", "print the bytes that the bot of seat S got (up to --at N)"},
    [OPTION_AGAINST] = {"--against", "COMMAND", "ask this bot what the bot of --seat S was asked"},
    [OPTION_ALL] = {"--all", NULL, "with --against: do not stop at the first difference"},
    [OPTION_DEBUGGER] = {"--debugger", NULL, "with --against: run it under gdb, without a clock"},
    [OPTION_FROM] = {"--from", "N", "with --against: compare and measure from decision N on"},
    [OPTION_BRANCH] = {"--branch", "N",
                       "play on from decision N with other bots: LOG -- BOT BOT..."},
    [OPTION_LOG] = {"--log", "FILE", "with --branch: write the new log there"},
    [OPTION_MOVE_MS] = {"--move-ms", "MS", "with --against: time for each answer (as logged)"},
};

static const struct options options = {
    .usage = "replay [OPTION...] LOG...",
    .purpose = "Shows a logged match, or does with it what an option says.\n",
    .examples = "  referee replay game.ndjson\n"
                "  referee replay --at 120 --seat 2 game.ndjson\n"
                "  referee replay --verify logs/*.ndjson\n"
                "  referee replay --wire 0 --at 120 game.ndjson | ./mybot\n"
                "  referee replay --against ./mybot --seat 0 game.ndjson\n"
                "  referee replay --branch 120 --log new.ndjson game.ndjson -- ./mybot ./other\n",
    .rows = rows,
    .count = ARRAY_LEN(rows),
    .most_words = 100000,
};

static int take_number(struct replay_settings *settings, size_t row, const char *value)
{
    bool is_seat = row == OPTION_SEAT || row == OPTION_WIRE;
    long most = is_seat ? RULES_SEATS_MAX - 1 : 100000000;
    long number;

    if (span_read_number(span_of(value), is_seat ? 0 : 1, most, &number) != 0) {
        message_say("%s does not take `%s`", rows[row].name, value);
        return -1;
    }
    switch (row) {
    case OPTION_AT:
        settings->at = number;
        break;
    case OPTION_ROUND:
        settings->round = number;
        break;
    case OPTION_SEAT:
        settings->seat = (int)number;
        break;
    case OPTION_WIRE:
        settings->wire = (int)number;
        break;
    case OPTION_FROM:
        settings->from = number;
        break;
    case OPTION_MOVE_MS:
        settings->move_ms = number;
        break;
    default:
        settings->branch = number;
        break;
    }
    return 0;
}

static int take(void *context, size_t row, const char *value)
{
    struct replay_settings *settings = context;

    switch (row) {
    case OPTION_EVENTS:
        settings->is_events = true;
        return 0;
    case OPTION_STEP:
        settings->is_step = true;
        return 0;
    case OPTION_JSON:
        settings->is_json = true;
        return 0;
    case OPTION_VERIFY:
        settings->is_verify = true;
        return 0;
    case OPTION_ALL:
        settings->is_all = true;
        return 0;
    case OPTION_DEBUGGER:
        settings->is_debugger = true;
        return 0;
    case OPTION_AGAINST:
        settings->against = value;
        return 0;
    case OPTION_LOG:
        settings->log_path = value;
        return 0;
    default:
        return take_number(settings, row, value);
    }
}

/* Shared with the other parts. */

void replay_print_safe(FILE *file, const char *words)
{
    char buffer[4096];
    struct text text;

    text_start(&text, buffer, sizeof buffer);
    escape_add(&text, span_of(words));
    fputs(buffer, file);
}

static void say_wrong(const char *path, const char *words)
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
        say_wrong(path, words);
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
            say_wrong(path, words);
            return -1;
        }
    }
    return 0;
}

void replay_show_events(FILE *file, const struct replay *replay, int seat)
{
    const struct match *match = replay_match(replay);
    const struct events *events = replay_events(replay);
    char words[160];
    struct text text;

    for (unsigned i = 0; i < events->count; i++) {
        struct event event =
            seat == REPLAY_NO_SEAT ? events->list[i] : event_hide(events->list[i], (unsigned)seat);

        text_start(&text, words, sizeof words);
        if (show_event_words(&text, &event, match_setup_of(match)->names))
            fprintf(file, "    %s\n", words);
    }
}

static void print_fault(FILE *file, const struct match *match, const struct record_fault *fault)
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

static void print_answer(FILE *file, const struct match *match, const struct record_answer *answer)
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
    const struct record_fault *faults = replay_faults(replay, &count);
    const struct record_answer *answers;

    for (unsigned i = 0; i < count; i++)
        print_fault(file, match, &faults[i]);
    answers = replay_answers(replay, &count);
    for (unsigned i = 0; i < count; i++)
        print_answer(file, match, &answers[i]);
}

static void print_position(FILE *file, const struct table *table)
{
    char words[POSITION_MAX];
    struct text text;

    text_start(&text, words, sizeof words);
    position_write(&text, table);
    fprintf(file, "position for `referee ask`:\n%s\n", words);
}

void replay_show_moment(FILE *file, const struct replay *replay, int seat, bool has_colour)
{
    const struct match *match = replay_match(replay);
    struct view view = view_of(match_table(match), seat == REPLAY_NO_SEAT ? 0U : (unsigned)seat);

    show_view(file, &view, match_setup_of(match)->names, has_colour);
    if (match_is_over(match)) {
        fputs("the match is over\n", file);
        return;
    }
    fprintf(file, "question `%s`", question_name(table_question(match_table(match))));
    if (view.drawn != CARD_NONE)
        fprintf(file, ", drawn %d", view.drawn);
    fputc('\n', file);
    print_decision(file, replay);
}

/* Showing. */

static void print_title(const struct replay *replay)
{
    const struct match_setup *setup = match_setup_of(replay_match(replay));

    printf("%s, %u seats, %lu decisions:",
           rules_edition_name((enum rules_edition)setup->rules.edition), setup->seats,
           replay_decisions(replay));
    for (unsigned seat = 0; seat < setup->seats; seat++)
        printf(" %u %s", seat, setup->names[seat]);
    putchar('\n');
}

/* The round to which an event belongs: a decision can end one and begin the next. */
static long round_of(const struct replay *replay, unsigned index)
{
    const struct events *events = replay_events(replay);
    long round = match_table(replay_match(replay))->round;

    for (unsigned i = index + 1; i < events->count; i++)
        round -= events->list[i].kind == EVENT_ROUND;
    return round;
}

static void print_event_lines(const struct replay_settings *settings, const struct replay *replay)
{
    const struct events *events = replay_events(replay);
    int seat = settings->seat;
    char line[200];
    struct text text;

    for (unsigned i = 0; i < events->count; i++) {
        struct event event =
            seat == REPLAY_NO_SEAT ? events->list[i] : event_hide(events->list[i], (unsigned)seat);

        if (settings->round > 0 && round_of(replay, i) != settings->round)
            continue;

        text_start(&text, line, sizeof line);
        line_write_event(&text, &event, false);
        printf("%lu %s\n", match_decisions(replay_match(replay)), line);
    }
}

static void write_json_answers(struct json_writer *json, const struct replay *replay)
{
    unsigned count;
    const struct record_answer *answers = replay_answers(replay, &count);

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
static void write_json_table(struct json_writer *json, const struct table *table, int seat)
{
    struct view view = view_of(table, seat == REPLAY_NO_SEAT ? 0U : (unsigned)seat);
    char bytes[POSITION_MAX];
    struct text text;
    struct span rest;

    text_start(&text, bytes, sizeof bytes);
    line_write_table(&text, &view);
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
    const struct table *table = match_table(match);
    const char *bytes;
    size_t length;

    json_open_map(json);
    json_key(json, "n");
    json_number(json, (long long)match_decisions(match) + 1);
    json_key(json, "question");
    json_text(json, question_name(table_question(table)));
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
    const struct table *table = match_table(replay_match(replay));

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
    struct show *show = show_new(stdout, false);

    show_result(show, match);
    show_free(show);
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
            say_wrong(path, words);
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
    replay_show_moment(stdout, replay, settings->seat, show_has_colour(stdout));
    if (settings->seat == REPLAY_NO_SEAT)
        print_position(stdout, match_table(replay_match(replay)));
    return CLI_FINE;
}

static bool has_seat(const struct replay *replay, int seat, const char *path)
{
    if (seat < (int)match_setup_of(replay_match(replay))->seats)
        return true;
    message_say("%s: there is no seat %d", path, seat);
    return false;
}

static int show(const struct replay_settings *settings, const char *path)
{
    struct replay *replay = replay_load_or_say(path, NULL, NULL);
    int code;

    if (replay == NULL)
        return CLI_FAILED;
    if (!has_seat(replay, settings->seat, path))
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

/* Verifying. */

static int verify(const char *path)
{
    char words[1300];
    struct text problem;
    struct replay *replay;
    int result = -1;

    text_start(&problem, words, sizeof words);
    replay = replay_load(path, NULL, NULL, &problem);
    if (replay != NULL) {
        do
            result = replay_next(replay, &problem);
        while (result > 0);
    }
    if (result == 0)
        printf("%s: verified: %lu decisions, %u rounds, %lu lines\n", path,
               match_decisions(replay_match(replay)), match_table(replay_match(replay))->round,
               replay_lines(replay));
    else
        say_wrong(path, words);
    replay_free(replay);
    return result == 0 ? CLI_FINE : CLI_FAILED;
}

static int verify_all(char **paths, size_t count)
{
    size_t failed = 0;

    for (size_t i = 0; i < count; i++)
        failed += verify(paths[i]) != CLI_FINE;
    if (count > 1)
        printf("%zu logs verified, %zu wrong\n", count - failed, failed);
    return failed == 0 ? CLI_FINE : CLI_FAILED;
}

/* The bytes of a seat. */

static void print_bytes(void *context, unsigned seat, const char *bytes, size_t length)
{
    const int *wanted = context;

    if ((int)seat == *wanted)
        fwrite(bytes, 1, length, stdout);
}

static int print_wire(const struct replay_settings *settings, const char *path)
{
    int seat = settings->wire;
    struct replay *replay = replay_load_or_say(path, print_bytes, &seat);
    unsigned long at = settings->at > 0 ? (unsigned long)settings->at : (unsigned long)-1;
    int code = CLI_FAILED;

    if (replay != NULL && !has_seat(replay, seat, path))
        code = CLI_USAGE;
    else if (replay != NULL && replay_go_to(replay, path, at) == 0)
        code = CLI_FINE;
    replay_free(replay);
    return code;
}

static int run(const struct replay_settings *settings, char **words, size_t count)
{
    if (count == 0) {
        message_say("replay needs a LOG; see `referee replay --help`");
        return CLI_USAGE;
    }
    if (settings->is_verify)
        return verify_all(words, count);
    if (settings->branch > 0)
        return replay_branch(settings, words[0], words + 1, (unsigned)(count - 1));
    if (count > 1) {
        message_say("several logs go only with --verify");
        return CLI_USAGE;
    }
    if (settings->against != NULL)
        return replay_against(settings, words[0]);
    if (settings->wire != REPLAY_NO_SEAT)
        return print_wire(settings, words[0]);
    return show(settings, words[0]);
}

int cli_replay(int argc, char **argv)
{
    struct replay_settings settings = {
        .at = -1, .round = -1, .seat = REPLAY_NO_SEAT, .wire = REPLAY_NO_SEAT, .branch = -1};
    size_t words = 0;

    switch (options_read(&options, argc, argv, take, &settings, &words)) {
    case OPTIONS_HELP:
        return CLI_FINE;
    case OPTIONS_WRONG:
        return CLI_USAGE;
    case OPTIONS_FINE:
        break;
    }
    if (chance_init() != 0)
        return CLI_FAILED;
    return run(&settings, argv + 1, words);
}
