/* Puts a bot back into a logged match: it gets the same bytes as the bot of that seat, and its
 * answers are compared with the logged ones. The match itself continues as it was logged, so one
 * difference does not lead to others. */

#include "base/memory.h"
#include "base/message.h"
#include "bot/bot.h"
#include "bot/bot_command.h"
#include "cli/cli.h"
#include "cli/replay/gdb.h"
#include "cli/replay/cmd_replay.h"
#include "cli/table_view.h"
#include "game/game_text.h"
#include "match/seat_reply.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STDERR_SHOWN_BYTES 2000

struct against {
    const struct cmd_replay_settings *settings;
    const char *path;
    struct event_base *base;
    struct replay *replay;
    struct bot *bot;
    unsigned seat;
    bool is_hello;
    bool is_ended; /* the open question */
    enum bot_outcome outcome;
    char fault_message[300];
    struct bot_line_hello hello;
    struct seat_reply reply;
    struct bot_time time;
    char *held; /* bytes that must wait for the hello */
    size_t held_length;
    bool is_started;
    unsigned long compared;
    unsigned long different;
    unsigned long faults;
    int64_t slowest_us;
};

static void hold(struct against *against, const char *bytes, size_t length)
{
    against->held = xrealloc(against->held, against->held_length + length);
    memcpy(against->held + against->held_length, bytes, length);
    against->held_length += length;
}

/* A bot that stayed from an earlier match was not greeted again; this bot is always new. */
static void hold_greeting(struct against *against)
{
    char line[BOT_LINE_REFEREE_MAX];
    struct text text;

    text_start(&text, line, sizeof line);
    bot_line_write_greeting(&text);
    hold(against, line, text.length);
}

/* Passes bytes of the log on to the bot, or holds them until it has said hello. */
static void pass_on(void *context, unsigned seat, const char *bytes, size_t length)
{
    struct against *against = context;

    if (seat != against->seat)
        return;
    if (against->is_started) {
        bot_tell(against->bot, bytes, length);
        return;
    }
    if (against->held_length == 0 && strncmp(bytes, "allegra ", 8) != 0)
        hold_greeting(against);
    hold(against, bytes, length);
}

static void end_question(struct against *against, enum bot_outcome outcome,
                         const struct bot_time *time, const char *message)
{
    against->outcome = outcome;
    against->time = *time;
    snprintf(against->fault_message, sizeof against->fault_message, "%s", message);
    against->is_ended = true;
    event_base_loopbreak(against->base);
}

static enum bot_verdict on_line(void *context, struct span line, const struct bot_time *time,
                                struct bot_refusal *refusal)
{
    struct against *against = context;
    const struct allegra_table *table = match_table(replay_match(against->replay));
    enum bot_verdict verdict;

    if (against->is_hello) {
        verdict = seat_reply_take_hello(&against->hello, line, refusal);
    } else {
        verdict = seat_reply_take_line(&against->reply, line,
                                       match_id(replay_match(against->replay), against->seat),
                                       table->rules.talk, refusal);
        if (verdict == BOT_ACCEPT)
            verdict = seat_reply_judged(
                allegra_table_judge(table, against->seat, against->reply.answer), refusal);
    }
    if (verdict == BOT_ACCEPT)
        end_question(against, BOT_ANSWERED, time, "");
    return verdict;
}

static void on_failure(void *context, const struct bot_failure *failure)
{
    end_question(context, failure->outcome, &failure->time, failure->message);
}

static void put_question(struct against *against, int64_t limit_us, bool is_hello)
{
    struct bot_listener listener = {on_line, on_failure, against};

    against->is_hello = is_hello;
    against->is_ended = false;
    against->reply.say_count = 0;
    bot_ask(against->bot, limit_us, is_hello, &listener);
    while (!against->is_ended)
        event_base_dispatch(against->base);
}

static int64_t limit_us(const struct against *against)
{
    const struct match *match = replay_match(against->replay);

    if (against->settings->move_ms > 0)
        return against->settings->move_ms * 1000;
    return match_limit_us(match, against->seat);
}

static const struct log_record_answer *logged_answer(const struct against *against)
{
    unsigned count;
    const struct log_record_answer *answers = replay_answers(against->replay, &count);

    for (unsigned i = 0; i < count; i++) {
        if (answers[i].seat == against->seat)
            return &answers[i];
    }
    return NULL;
}

static void print_answer(const char *label, struct allegra_answer answer, int64_t charged_us)
{
    char action[40];
    struct text text;

    text_start(&text, action, sizeof action);
    answer_write(&text, answer);
    printf("  %s: %s (%.3f ms)\n", label, action, (double)charged_us / 1e3);
}

static void print_stderr(const struct against *against)
{
    const char *tail = bot_stderr_tail(against->bot, STDERR_SHOWN_BYTES);

    if (tail[0] != '\0')
        printf("  the end of its stderr so far:\n%s\n", tail);
}

/* Shows a decision in which the bot differs from the log. */
static void show_difference(const struct against *against, const struct log_record_answer *logged)
{
    const struct match *match = replay_match(against->replay);

    printf("decision %lu is different:\n", match_decisions(match) + 1);
    if (against->different + against->faults == 1 || !against->settings->is_all)
        cmd_replay_print_moment(stdout, against->replay, (int)against->seat,
                                table_view_has_colour(stdout));
    print_answer("the log", logged->answer, logged->charged_us);
    if (against->outcome == BOT_ANSWERED)
        print_answer("this bot", against->reply.answer, against->time.charged_us);
    else
        printf("  this bot: %s: %s\n", bot_outcome_name(against->outcome), against->fault_message);
    print_stderr(against);
}

static bool is_same(struct allegra_answer one, struct allegra_answer other)
{
    return one.verb == other.verb && one.seat == other.seat && one.cells == other.cells;
}

/* Asks the bot the logged question. Returns whether to continue. */
static bool compare(struct against *against, const struct log_record_answer *logged)
{
    bool is_early =
        (long)match_decisions(replay_match(against->replay)) + 1 < against->settings->from;

    put_question(against, limit_us(against), false);
    if (is_early)
        return against->outcome == BOT_ANSWERED;
    against->compared++;
    if (against->time.charged_us > against->slowest_us)
        against->slowest_us = against->time.charged_us;
    if (against->outcome == BOT_ANSWERED && is_same(against->reply.answer, logged->answer))
        return true;
    if (against->outcome == BOT_ANSWERED)
        against->different++;
    else
        against->faults++;
    show_difference(against, logged);
    return against->outcome == BOT_ANSWERED && against->settings->is_all;
}

/* Plays the log to its end, or to the first difference. Returns an exit code. */
static int play(struct against *against)
{
    char message[1300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    while (!match_is_over(replay_match(against->replay))) {
        const struct log_record_answer *logged = logged_answer(against);

        if (match_is_waiting(replay_match(against->replay), against->seat) && logged != NULL &&
            !logged->is_autopilot && !logged->is_given && !compare(against, logged))
            break;
        if (replay_next(against->replay, &problem) < 0) {
            message_say("%s: %s", against->path, message);
            return CLI_FAILED;
        }
    }
    printf("%lu answers compared, %lu different, %lu faults, slowest %.3f ms\n", against->compared,
           against->different, against->faults, (double)against->slowest_us / 1e3);
    if (against->faults > 0)
        return CLI_BOT_FAULT;
    return against->different > 0 ? CLI_FAILED : CLI_FINE;
}

static bool has_same_options(const struct against *against)
{
    struct bot_line_options now = against->hello.options;
    struct bot_line_options then = match_options(replay_match(against->replay), against->seat);

    return now.has_table == then.has_table && now.has_events == then.has_events &&
           now.has_legal == then.has_legal;
}

/* Sends the greeting, waits for the hello, and sends the bytes that were held. */
static int say_hello(struct against *against)
{
    size_t greeting;

    /* Nothing was written yet to a bot that stayed and is not asked first. */
    if (against->held_length == 0)
        hold_greeting(against);
    greeting =
        (size_t)((char *)memchr(against->held, '\n', against->held_length) - against->held) + 1;
    bot_tell(against->bot, against->held, greeting);
    put_question(against, match_setup_of(replay_match(against->replay))->start_ms * 1000, true);
    if (against->outcome != BOT_ANSWERED) {
        message_say("the bot is at fault: %s: %s", bot_outcome_name(against->outcome),
                    against->fault_message);
        return -1;
    }
    if (!has_same_options(against))
        message_say(
            "the options in its hello differ from the log; it gets the bytes that were logged");
    against->is_started = true;
    bot_tell(against->bot, against->held + greeting, against->held_length - greeting);
    return 0;
}

static int converse(struct against *against, const struct bot_command *command)
{
    struct bot_spec spec = {.argv = (const char *const *)command->argv,
                            .clock = match_setup_of(replay_match(against->replay))->clock,
                            .label = command->name,
                            .cpu = -1};
    int code = CLI_BOT_FAULT;

    against->base = event_base_new();
    against->bot = against->base != NULL ? bot_start(against->base, &spec) : NULL;
    if (against->bot == NULL) {
        message_say("cannot start the bot: out of resources");
        code = CLI_FAILED;
    } else if (say_hello(against) == 0) {
        code = play(against);
    }
    bot_free(against->bot);
    if (against->base != NULL)
        event_base_free(against->base);
    return code;
}

/* A debugger wants the terminal for itself, so its bot reads the logged bytes from a file. */
static int debug(struct against *against, const struct bot_command *command)
{
    unsigned long until =
        against->settings->at > 0 ? (unsigned long)against->settings->at : ULONG_MAX;
    char path[] = "/tmp/referee-wire-XXXXXX";
    int fd = mkstemp(path);
    int status = -1;

    if (fd < 0 || cmd_replay_go_to(against->replay, against->path, until) != 0 ||
        write(fd, against->held, against->held_length) != (ssize_t)against->held_length)
        message_say("cannot write the bytes for the bot: %s", strerror(errno));
    else
        status = gdb_run(command, path);
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    return status == 0 ? CLI_FINE : CLI_FAILED;
}

static int run(struct against *against, const struct bot_command *command)
{
    int code = CLI_FAILED;

    against->replay = cmd_replay_load(against->path, pass_on, against);
    if (against->replay == NULL)
        return CLI_FAILED;
    if (!cmd_replay_has_seat(against->replay, "--seat", against->settings->seat) ||
        !cmd_replay_has_decision("--at", against->settings->at,
                                 replay_decisions(against->replay) + 1) ||
        !cmd_replay_has_decision("--from", against->settings->from,
                                 replay_decisions(against->replay)))
        code = CLI_USAGE;
    else if (against->settings->is_debugger)
        code = debug(against, command);
    else
        code = converse(against, command);
    replay_free(against->replay);
    free(against->held);
    return code;
}

int cmd_replay_against(const struct cmd_replay_settings *settings, const char *path)
{
    struct against against = {.settings = settings, .path = path};
    struct bot_command command;
    char message[600];
    struct text problem;
    int code = CLI_USAGE;

    text_start(&problem, message, sizeof message);
    if (settings->seat == CMD_REPLAY_NO_SEAT) {
        message_say("--against needs --seat S");
        return CLI_USAGE;
    }
    against.seat = (unsigned)settings->seat;
    if (bot_command_read(&command, settings->against, &problem) != 0)
        message_say("%s", message);
    else
        code = run(&against, &command);
    bot_command_free(&command);
    return code;
}
