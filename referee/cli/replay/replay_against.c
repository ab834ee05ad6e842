/* Puts a bot back into a logged match: it gets the same bytes as the bot of that seat, and its
 * answers are compared with the logged ones. The match itself continues as it was logged, so one
 * difference does not lead to others.
 *
 * If the logged bot was dismissed, the question that it failed at is asked too, whatever was
 * different before: does this bot fail again, or is it fixed? There it ends, because from there on
 * the log has only answers of the autopilot. */

#include "base/escape.h"
#include "base/memory.h"
#include "base/message.h"
#include "bot/bot.h"
#include "bot/bot_command.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options_sandbox.h"
#include "cli/replay/cmd_replay.h"
#include "cli/replay/debugger.h"
#include "cli/table_draw.h"
#include "game/game_text.h"
#include "match/seat_reply.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#define STDERR_SHOWN_BYTES 2000

struct against {
    const struct cmd_replay_settings *settings;
    const char *path;
    struct event_base *base;
    struct replay *replay;
    struct bot *bot;
    unsigned seat;
    enum bot_outcome logged_fault; /* why the logged bot was dismissed; BOT_ANSWERED: it was not */
    unsigned long fault_at;        /* the decision at which it was; 0: the hello */
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
    bot_line_write_greeting(&text, REFEREE_VERSION);
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
    while (!against->is_ended && interrupt_count() == 0)
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
    char *tail = escape_readable(bot_stderr_tail(against->bot, STDERR_SHOWN_BYTES));

    if (tail[0] != '\0')
        printf("  the end of its stderr so far:\n%s\n", tail);
    free(tail);
}

static unsigned long decision_of(const struct against *against)
{
    return match_decisions(replay_match(against->replay)) + 1;
}

static void show_moment(const struct against *against)
{
    cmd_replay_print_moment(stdout, against->replay, (int)against->seat,
                            table_draw_has_colour(stdout));
}

/* Shows what this bot did: its answer or its fault. */
static void show_this(const struct against *against)
{
    if (against->outcome != BOT_ANSWERED)
        printf("  this bot: %s: %s\n", bot_outcome_name(against->outcome), against->fault_message);
    else if (against->is_hello)
        printf("  this bot: hello %s\n", against->hello.name);
    else
        print_answer("this bot", against->reply.answer, against->time.charged_us);
    print_stderr(against);
}

/* Shows a decision in which the bot differs from the log. */
static void show_difference(const struct against *against, const struct log_record_answer *logged)
{
    bool is_first = against->different + against->faults == 1;

    if (!is_first && !against->settings->is_all && against->outcome == BOT_ANSWERED)
        return;
    printf("decision %lu is different:\n", decision_of(against));
    if (is_first || !against->settings->is_all)
        show_moment(against);
    print_answer("the log", logged->answer, logged->time.charged_us);
    show_this(against);
}

/* Says what became of the logged fault: where the question was, what the log has, what this bot
 * did. */
static void show_verdict(const struct against *against, const char *where, const char *message)
{
    const char *verdict = against->outcome == BOT_ANSWERED ? "fixed"
                          : against->outcome == against->logged_fault
                              ? "it fails again"
                              : "it fails again, in another way";

    printf("%s, at which the logged bot was dismissed: %s\n", where, verdict);
    printf("  the log: %s%s%s\n", bot_outcome_name(against->logged_fault),
           message[0] != '\0' ? ": " : "", message);
    show_this(against);
}

static bool is_same(struct allegra_answer one, struct allegra_answer other)
{
    return one.verb == other.verb && one.seat == other.seat && one.cells == other.cells;
}

/* Asks the bot the logged question. Returns whether to continue. */
static bool compare(struct against *against, const struct log_record_answer *logged)
{
    bool is_early = (long)decision_of(against) < against->settings->from;

    put_question(against, limit_us(against), false);
    if (interrupt_count() > 0)
        return false;
    if (is_early && against->outcome == BOT_ANSWERED)
        return true;
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
    return against->outcome == BOT_ANSWERED &&
           (against->settings->is_all || against->logged_fault != BOT_ANSWERED);
}

static const struct log_record_fault *fault_of(const struct replay *replay, unsigned seat)
{
    unsigned count;
    const struct log_record_fault *faults = replay_faults(replay, &count);

    for (unsigned i = 0; i < count; i++) {
        if (faults[i].seat == seat)
            return &faults[i];
    }
    return NULL;
}

/* Asks the question at which the logged bot failed. */
static void ask_again(struct against *against, const struct log_record_fault *fault)
{
    char where[60];

    put_question(against, limit_us(against), false);
    if (interrupt_count() > 0)
        return;
    snprintf(where, sizeof where, "decision %lu", decision_of(against));
    show_moment(against);
    show_verdict(against, where, fault->message);
    against->faults += against->outcome != BOT_ANSWERED;
}

/* Asks the next question, if it is this seat's. Returns whether to continue. */
static bool ask_next(struct against *against)
{
    const struct log_record_answer *logged = logged_answer(against);
    const struct log_record_fault *fault = fault_of(against->replay, against->seat);

    if (!match_is_waiting(replay_match(against->replay), against->seat) || logged == NULL)
        return true;
    if (fault != NULL) {
        ask_again(against, fault);
        return false;
    }
    return logged->is_autopilot || logged->is_given || compare(against, logged);
}

/* Plays the log to its end, or to the first difference. Returns an exit code. */
static int play(struct against *against)
{
    char message[1300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    while (!match_is_over(replay_match(against->replay)) && ask_next(against)) {
        if (replay_next(against->replay, &problem) < 0) {
            message_say("%s: %s", against->path, message);
            return CLI_FAILED;
        }
    }
    printf("answers compared: %lu, different: %lu, faults: %lu, slowest: %.3f ms\n",
           against->compared, against->different, against->faults,
           (double)against->slowest_us / 1e3);
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

/* Sends the greeting, waits for the hello, sends the bytes that were held, and plays. Returns an
 * exit code. */
static int say_hello(struct against *against)
{
    bool is_fault_at_hello = against->logged_fault != BOT_ANSWERED && against->fault_at == 0;
    size_t greeting;

    /* Nothing was written yet to a bot that stayed and is not asked first. */
    if (against->held_length == 0)
        hold_greeting(against);
    greeting =
        (size_t)((char *)memchr(against->held, '\n', against->held_length) - against->held) + 1;
    bot_tell(against->bot, against->held, greeting);
    put_question(against, match_setup_of(replay_match(against->replay))->start_ms * 1000, true);
    if (interrupt_count() > 0)
        return CLI_FAILED;
    if (is_fault_at_hello) {
        show_verdict(against, "the hello", "");
        return against->outcome == BOT_ANSWERED ? CLI_FINE : CLI_BOT_FAULT;
    }
    if (against->outcome != BOT_ANSWERED) {
        message_say("the bot is at fault: %s: %s", bot_outcome_name(against->outcome),
                    against->fault_message);
        return CLI_BOT_FAULT;
    }
    if (!has_same_options(against))
        message_say(
            "the options in its hello differ from the log; it gets the bytes that were logged");
    against->is_started = true;
    bot_tell(against->bot, against->held + greeting, against->held_length - greeting);
    return play(against);
}

static int converse(struct against *against, const struct bot_command *command)
{
    struct bot_spec spec = {.argv = (const char *const *)command->argv,
                            .clock = match_setup_of(replay_match(against->replay))->clock,
                            .label = command->name,
                            .cpu = -1,
                            .sandbox = options_sandbox_open(SANDBOX_NONE)};
    struct interrupt *interrupt = NULL;
    int code;

    /* The sandbox forbids nothing here: it has the books of the bot's time, as in a match. */
    interrupt_catch();
    against->base = event_base_new();
    against->bot = against->base != NULL ? bot_start(against->base, &spec) : NULL;
    if (against->base != NULL)
        interrupt = interrupt_watch(against->base, NULL, NULL);
    if (against->bot == NULL) {
        message_say("cannot start the bot: out of resources");
        code = CLI_FAILED;
    } else {
        code = say_hello(against);
    }
    if (interrupt_count() > 0) {
        message_say("stopped");
        code = CLI_FAILED;
    }
    bot_free(against->bot);
    sandbox_free(spec.sandbox);
    interrupt_free(interrupt);
    if (against->base != NULL)
        event_base_free(against->base);
    return code;
}

static int debug(struct against *against, const struct bot_command *command)
{
    unsigned long until =
        against->settings->at > 0 ? (unsigned long)against->settings->at : ULONG_MAX;

    if (cmd_replay_go_to(against->replay, against->path, until) != 0)
        return CLI_FAILED;
    return debugger_run(command, (struct span){against->held, against->held_length}) == 0
               ? CLI_FINE
               : CLI_FAILED;
}

/* Finds out whether and where the logged bot was dismissed. Returns 0 or -1. */
static int find_fault(struct against *against)
{
    struct replay *replay = cmd_replay_load(against->path, NULL, NULL);
    unsigned long before = ULONG_MAX;
    int result = replay != NULL ? 0 : -1;

    while (result == 0 && match_fault(replay_match(replay), against->seat) == BOT_ANSWERED &&
           match_decisions(replay_match(replay)) != before) {
        before = match_decisions(replay_match(replay));
        result = cmd_replay_go_to(replay, against->path, before + 2);
    }
    if (result == 0) {
        against->logged_fault = match_fault(replay_match(replay), against->seat);
        against->fault_at = match_decisions(replay_match(replay));
    }
    replay_free(replay);
    return result;
}

static int run(struct against *against, const struct bot_command *command)
{
    int code = CLI_FAILED;

    against->replay = cmd_replay_load_whole(against->path, pass_on, against, "--against");
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
    else if (find_fault(against) == 0)
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
