/* `referee ask` asks a bot one question, from a position written as text, and prints its answer. */

#include "base/deal_random.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/message.h"
#include "bot/bot.h"
#include "bot/bot_command.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options_match.h"
#include "cli/options_sandbox.h"
#include "game/game_text.h"
#include "game/position.h"
#include "match/seat_reply.h"
#include "match/seat_stream.h"
#include "wire/bot_line.h"

#include <errno.h>
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How long the bot may take to end by itself, and to write its last words to stderr. */
#define GRACE_MS 500

/* What a position begins with, and how much is read to find one. */
#define POSITION_START "seats="
#define INPUT_MAX 65536

/* One conversation with the bot: its hello, then the question. */
struct asking {
    struct event_base *base;
    struct bot *bot;
    enum sandbox_level level;
    struct sandbox *sandbox;
    struct seat_stream *stream;
    struct allegra_table table;
    struct options_rules game; /* what the position begins with, if it is given */
    unsigned seat;             /* ALLEGRA_SEATS_MAX: the first that is asked */
    long move_ms;
    long start_ms;
    bool shows_stderr;
    bool is_hello;
    bool is_done;
    struct bot_line_hello hello;
    struct seat_reply reply;
    struct bot_time time;
    enum bot_outcome outcome;
};

static const struct option_row rows[] = {
    {OPTIONS_RULES(struct asking, game)},
    {"--seat", "N", "the seat to ask, where several are asked (the first of them)",
     OPTION_NUMBER(struct asking, seat, 0, ALLEGRA_SEATS_MAX - 1)},
    {"--move-ms", "MS", "time for the answer (1000)",
     OPTION_NUMBER(struct asking, move_ms, 1, OPTIONS_MATCH_TIME_MAX_MS)},
    {"--start-ms", "MS", "time until the hello (10000)",
     OPTION_NUMBER(struct asking, start_ms, 1, OPTIONS_MATCH_TIME_MAX_MS)},
    {"--contain", "LEVEL", OPTIONS_SANDBOX_LEVELS " (none)", OPTIONS_SANDBOX(struct asking, level)},
    {"--stderr", NULL, "show what the bot writes to stderr",
     OPTION_FLAG(struct asking, shows_stderr)},
    {.name = NULL},
};

static const struct options options = {
    .command = "ask",
    .usage = "[OPTION...] BOT POSITION",
    .purpose =
        "Starts the bot, asks it the question of the position, and prints its answer and the time\n"
        "it took. POSITION is a file, - for standard input, or the text itself, which begins with\n"
        "seats=; `referee help log` describes it. In a file, lines before it are ignored. If it\n"
        "does not name its rules, give them here.\n",
    .examples = "  referee ask ./mybot position.txt\n"
                "  referee ask --seat 2 --move-ms 5000 'python3 mybot.py' position.txt\n"
                "  referee replay --at 57 game.ndjson | referee ask ./mybot -\n",
    .rows = rows,
    .takes = "a BOT and a POSITION",
    .least = 2,
    .most = 2,
};

/* Whether an argument is a position itself, not the name of a file. */
static bool is_text(const char *argument)
{
    return strchr(argument, '=') != NULL && access(argument, F_OK) != 0;
}

/* Reads a file, or standard input. Returns NULL after it said what is wrong. */
static char *read_input(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    char *text = NULL;

    if (file != NULL) {
        text = xcalloc(INPUT_MAX + 1, 1);
        text[fread(text, 1, INPUT_MAX, file)] = '\0';
    }
    if (file == NULL || ferror(file)) {
        message_say("the position cannot be read from %s: %s", path, strerror(errno));
        free(text);
        text = NULL;
    }
    if (file != NULL && file != stdin)
        (void)fclose(file);
    return text;
}

/* Puts the rules of the options into a position, behind its seats. Takes it over; free the
 * result. */
static char *add_rules(const struct options_rules *game, char *input)
{
    char changes[RULES_CHANGES_MAX];
    struct text text;
    size_t seats = strspn(input, " \t\r\n");
    size_t size = strlen(input) + sizeof changes + 30;
    char *joined = xcalloc(size, 1);

    seats += strcspn(input + seats, " \t\r\n");
    text_start(&text, changes, sizeof changes);
    rules_write_changes(&text, &game->rules, " ");
    snprintf(joined, size, "%.*s edition=%s%s%s", (int)seats, input,
             allegra_edition_name((enum allegra_edition)game->rules.edition), changes,
             input + seats);
    free(input);
    return joined;
}

/* Finds the first line that begins a position; NULL if there is none, or no text. */
static const char *find_position(const char *text)
{
    while (text != NULL && strncmp(text, POSITION_START, strlen(POSITION_START)) != 0) {
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return text;
}

/* The text of the position. Free it. Returns NULL after it said what is wrong. */
static char *load_position(const char *argument)
{
    char *input = is_text(argument) ? xstrdup(argument) : read_input(argument);
    const char *found = is_text(argument) ? input : find_position(input);
    char *position = found != NULL ? xstrdup(found) : NULL;

    if (input != NULL && found == NULL)
        message_say("there is no position in %s: none of its lines begins with " POSITION_START,
                    strcmp(argument, "-") == 0 ? "the input" : argument);
    free(input);
    return position;
}

/* Returns 0, or -1 after it said what is wrong. */
static int read_table(struct asking *asking, const char *argument)
{
    char *position = load_position(argument);
    bool has_options = asking->game.is_given || asking->game.is_named;
    char message[300] = "it has an edition already: leave out --edition, --set and --variant, or "
                        "take `edition=` out of the position";
    struct text problem;
    int result = -1;

    if (position == NULL)
        return -1;
    if (!has_options || strstr(position, "edition=") == NULL) {
        if (has_options)
            position = add_rules(&asking->game, position);
        text_start(&problem, message, sizeof message);
        result = position_read(span_of(position), &asking->table, &problem);
    }
    if (result != 0)
        message_say("the position cannot be used: %s", message);
    free(position);
    return result;
}

static int read_position(struct asking *asking, const char *argument)
{
    if (read_table(asking, argument) != 0)
        return -1;
    if (allegra_table_asked(&asking->table) == 0) {
        message_say("nothing is asked in that position: the match is over");
        return -1;
    }
    if (asking->seat == ALLEGRA_SEATS_MAX)
        asking->seat = (unsigned)__builtin_ctz(allegra_table_asked(&asking->table));
    if (!(allegra_table_asked(&asking->table) >> asking->seat & 1)) {
        message_say("nothing is asked of seat %u in that position", asking->seat);
        return -1;
    }
    return 0;
}

static void put_question(struct asking *asking);

static void finish(struct asking *asking, enum bot_outcome outcome)
{
    asking->outcome = outcome;
    asking->is_done = true;
    event_base_loopbreak(asking->base);
}

static enum bot_verdict on_line(void *context, struct span line, const struct bot_time *time,
                                struct bot_refusal *refusal)
{
    struct asking *asking = context;
    enum bot_verdict verdict;

    if (asking->is_hello) {
        verdict = seat_reply_take_hello(&asking->hello, line, refusal);
        if (verdict == BOT_ACCEPT)
            put_question(asking);
        return verdict;
    }
    verdict = seat_reply_take_line(&asking->reply, line, seat_stream_id(asking->stream),
                                   asking->table.rules.talk, refusal);
    if (verdict == BOT_ACCEPT)
        verdict = seat_reply_judged(
            allegra_table_judge(&asking->table, asking->seat, asking->reply.answer), refusal);
    if (verdict == BOT_ACCEPT) {
        asking->time = *time;
        finish(asking, BOT_ANSWERED);
    }
    return verdict;
}

static void on_failure(void *context, const struct bot_failure *failure)
{
    struct asking *asking = context;

    message_say("the bot is at fault: %s: %s", bot_outcome_name(failure->outcome),
                failure->message);
    if (failure->line[0] != '\0')
        fprintf(stderr, "  its line: `%s`\n", failure->line);
    if (failure->stderr_tail[0] != '\0' && !asking->shows_stderr) {
        char *readable = escape_readable(failure->stderr_tail);

        fprintf(stderr, "  the end of its stderr:\n%s\n", readable);
        free(readable);
    }
    finish(asking, failure->outcome);
}

static void send_out(void *context, unsigned seat, const char *bytes, size_t length)
{
    struct asking *asking = context;

    (void)seat;
    bot_tell(asking->bot, bytes, length);
}

static void put_question(struct asking *asking)
{
    struct bot_listener listener = {on_line, on_failure, asking};
    struct allegra_view view = allegra_view_of(&asking->table, asking->seat);
    struct bot_line_match match = {
        .rules = &asking->table.rules,
        .variant =
            rules_are_same(&asking->table.rules, &asking->game.rules) ? asking->game.variant : "",
        .seats = asking->table.seats,
        .seat = asking->seat,
        .move_ms = asking->move_ms,
        .clock = clock_rule_name(CLOCK_FAIR),
    };
    struct allegra_legal legal;
    char lines[1024];
    struct text text;
    struct span question;

    for (unsigned seat = 0; seat < ALLEGRA_SEATS_MAX; seat++)
        match.names[seat] = seat == asking->seat ? asking->hello.name : "somebody";
    asking->is_hello = false;
    seat_stream_set_options(asking->stream, asking->hello.options);
    bot_line_write_match(seat_stream_text(asking->stream), &match);
    allegra_legal_list(&asking->table, asking->seat, &legal);
    text_start(&text, lines, sizeof lines);
    bot_line_write_table(&text, &view);
    question = seat_stream_ask(asking->stream, &view, &legal,
                               (struct span){text.buffer, text.length}, asking->move_ms);
    bot_tell(asking->bot, question.start, question.length);
    bot_ask(asking->bot, asking->move_ms * 1000, false, &listener);
}

static void print_answer(const struct asking *asking)
{
    char answer[40];
    struct text text;

    for (unsigned i = 0; i < asking->reply.say_count; i++)
        printf("says: %s\n", asking->reply.says[i]);
    text_start(&text, answer, sizeof answer);
    answer_write(&text, asking->reply.answer);
    printf("%s\t%.3f ms\n", answer, (double)asking->time.charged_us / 1e3);
}

static void on_left(void *context, struct bot *bot)
{
    struct asking *asking = context;

    (void)bot;
    asking->bot = NULL;
    event_base_loopbreak(asking->base);
}

/* Returns an exit code. */
static int end_conversation(struct asking *asking)
{
    int code = CLI_BOT_FAULT;

    if (!asking->is_done) {
        message_say("stopped");
        return CLI_FAILED;
    }
    if (asking->outcome == BOT_ANSWERED) {
        print_answer(asking);
        (void)fflush(stdout);
        code = CLI_FINE;
    }
    bot_leave(asking->bot, GRACE_MS, on_left, asking);
    while (asking->bot != NULL)
        event_base_dispatch(asking->base);
    return code;
}

static int converse(struct asking *asking, const struct bot_command *command)
{
    struct bot_listener listener = {on_line, on_failure, asking};
    struct bot_spec spec = {
        .argv = (const char *const *)command->argv,
        .clock = CLOCK_FAIR,
        .shows_stderr = asking->shows_stderr,
        .label = command->name,
        .cpu = -1,
        .sandbox = asking->sandbox,
    };
    int code;

    asking->bot = bot_start(asking->base, &spec);
    if (asking->bot == NULL) {
        message_say("cannot start the bot: out of resources");
        return CLI_FAILED;
    }
    asking->stream = seat_stream_new(asking->seat, send_out, asking);
    asking->is_hello = true;
    bot_line_write_greeting(seat_stream_text(asking->stream), REFEREE_VERSION);
    seat_stream_flush(asking->stream);
    bot_ask(asking->bot, asking->start_ms * 1000, true, &listener);
    while (!asking->is_done && interrupt_count() == 0)
        event_base_dispatch(asking->base);
    code = end_conversation(asking);
    bot_free(asking->bot);
    seat_stream_free(asking->stream);
    return code;
}

static int run(struct asking *asking, const char *bot)
{
    char message[600];
    struct text problem;
    struct bot_command command;
    struct interrupt *interrupt;
    int code = CLI_USAGE;

    text_start(&problem, message, sizeof message);
    if (bot_command_read(&command, bot, &problem) != 0) {
        message_say("%s", message);
    } else {
        signal(SIGPIPE, SIG_IGN);
        interrupt_catch();
        code = CLI_FAILED;
        asking->sandbox = options_sandbox_open(asking->level);
        if (asking->sandbox != NULL &&
            options_sandbox_admit(asking->sandbox, &command, NULL, false) == 0) {
            asking->base = event_base_new();
            interrupt = interrupt_watch(asking->base, NULL, NULL);
            code = converse(asking, &command);
            interrupt_free(interrupt);
            event_base_free(asking->base);
        }
    }
    sandbox_free(asking->sandbox);
    bot_command_free(&command);
    return code;
}

int cli_ask(int argc, char **argv)
{
    struct asking *asking = xcalloc(1, sizeof *asking);
    int code;

    asking->game = options_rules_default();
    asking->seat = ALLEGRA_SEATS_MAX;
    asking->move_ms = 1000;
    asking->start_ms = 10000;
    if (options_read(&options, argc, argv, asking, &code) >= 0) {
        code = CLI_USAGE;
        if (deal_random_init() == 0 && read_position(asking, argv[2]) == 0)
            code = run(asking, argv[1]);
    }
    free(asking);
    return code;
}
