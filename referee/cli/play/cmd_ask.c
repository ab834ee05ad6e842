/* `referee ask` asks a bot one question, from a position written as text, and prints its answer. */

#include "base/deal_random.h"
#include "base/memory.h"
#include "base/message.h"
#include "bot/bot.h"
#include "bot/bot_command.h"
#include "cli/cli.h"
#include "cli/options_match.h"
#include "cli/options_sandbox.h"
#include "game/game_text.h"
#include "game/position.h"
#include "match/seat_reply.h"
#include "match/seat_stream.h"
#include "wire/bot_line.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One conversation with the bot: its hello, then the question. */
struct asking {
    struct event_base *base;
    struct bot *bot;
    enum sandbox_level level;
    struct sandbox *sandbox;
    struct seat_stream *stream;
    struct allegra_table table;
    unsigned seat; /* ALLEGRA_SEATS_MAX: the first that is asked */
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
        "it took. POSITION is text, or - for standard input; protocol.md describes it.\n",
    .examples = "  referee ask ./mybot - < position.txt\n"
                "  referee ask --seat 2 --move-ms 5000 'python3 mybot.py' - < position.txt\n"
                "  referee replay --at 57 game.ndjson     # prints a position to start with\n",
    .rows = rows,
    .takes = "a BOT and a POSITION",
    .least = 2,
    .most = 2,
};

static char *read_input(void)
{
    char *text = xcalloc(ALLEGRA_POSITION_MAX + 1, 1);
    size_t length = fread(text, 1, ALLEGRA_POSITION_MAX, stdin);

    text[length] = '\0';
    return text;
}

static int read_position(struct asking *asking, const char *argument)
{
    char *input = strcmp(argument, "-") == 0 ? read_input() : xstrdup(argument);
    char message[300];
    struct text problem;
    int result;

    text_start(&problem, message, sizeof message);
    result = position_read(span_of(input), &asking->table, &problem);
    free(input);
    if (result != 0) {
        message_say("the position cannot be used: %s", message);
        return -1;
    }
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
    message_say("the bot is at fault: %s: %s", bot_outcome_name(failure->outcome),
                failure->message);
    if (failure->line[0] != '\0')
        fprintf(stderr, "  its line: %s\n", failure->line);
    finish(context, failure->outcome);
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

    asking->bot = bot_start(asking->base, &spec);
    if (asking->bot == NULL) {
        message_say("cannot start the bot: out of resources");
        return CLI_FAILED;
    }
    asking->stream = seat_stream_new(asking->seat, send_out, asking);
    asking->is_hello = true;
    bot_line_write_greeting(seat_stream_text(asking->stream));
    seat_stream_flush(asking->stream);
    bot_ask(asking->bot, asking->start_ms * 1000, true, &listener);
    while (!asking->is_done)
        event_base_dispatch(asking->base);
    bot_free(asking->bot);
    seat_stream_free(asking->stream);
    if (asking->outcome != BOT_ANSWERED)
        return CLI_BOT_FAULT;
    print_answer(asking);
    return CLI_FINE;
}

static int run(struct asking *asking, const char *bot)
{
    char message[600];
    struct text problem;
    struct bot_command command;
    int code = CLI_USAGE;

    text_start(&problem, message, sizeof message);
    if (bot_command_read(&command, bot, &problem) != 0) {
        message_say("%s", message);
    } else {
        signal(SIGPIPE, SIG_IGN);
        code = CLI_FAILED;
        asking->sandbox = options_sandbox_open(asking->level);
        if (asking->sandbox != NULL &&
            options_sandbox_admit(asking->sandbox, &command, NULL, false) == 0) {
            asking->base = event_base_new();
            code = converse(asking, &command);
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
