/* `referee check` plays a bot through everything that can happen to it, and reports what its
 * author should know before others find out. A fault does not end the check, so that the report
 * is complete; only a bot that uses up its time again and again does. */

#include "cli/check/cmd_check.h"

#include "base/clock.h"
#include "base/deal_random.h"
#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options_sandbox.h"
#include "cli/options_match.h"
#include "cli/options.h"
#include "game/rules.h"

#include <event2/event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The check stops after so many faults that used up all their time. */
#define TIMEOUTS_MAX 3

/* The limits of so many answers: after thinking that long in total, the bot plays short matches
 * only; and after that long, none. */
#define SLOW_LIMITS 5
#define SLOWEST_LIMITS 60

/* How often the rich scenario is repeated for what has not come up. */
#define ATTEMPTS_MAX 4

static const struct option_row rows[] = {
    {OPTIONS_RULES(struct check, game)},
    {"--seed", "TEXT", "play with other cards and other opponents",
     OPTION_TEXT(struct check, seed)},
    {"--move-ms", "MS", "time per answer (1000)",
     OPTION_NUMBER(struct check, move_ms, 1, OPTIONS_MATCH_TIME_MAX_MS)},
    {"--start-ms", "MS", "time until the hello (10000)",
     OPTION_NUMBER(struct check, start_ms, 1, OPTIONS_MATCH_TIME_MAX_MS)},
    {"--contain", "LEVEL", OPTIONS_SANDBOX_LEVELS " (none)", OPTIONS_SANDBOX(struct check, level)},
    {"--json", NULL, "print the report as one JSON document", OPTION_FLAG(struct check, is_json)},
    {.name = NULL},
};

static const struct options options = {
    .command = "check",
    .usage = "[OPTION...] BOT",
    .purpose =
        "Plays a bot through every question, every edition and every table size, treats it\n"
        "roughly, and reports what is wrong and how to fix it. With --edition or --set, it plays\n"
        "by these rules only. Exits with 0 if all is well, and with 3 if the bot would be\n"
        "dismissed.\n",
    .examples = "  referee check ./mybot\n"
                "  referee check --edition en2020 'python3 mybot.py'\n"
                "  referee check --set knock=off ./mybot\n"
                "  referee check --json ./mybot | jq .wrong\n",
    .rows = rows,
    .takes = "one BOT",
    .least = 1,
    .most = 1,
};

void check_remark(struct check *check, const char *format, ...)
{
    char remark[600];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(remark, sizeof remark, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < check->remark_count; i++) {
        if (strcmp(check->remarks[i], remark) == 0)
            return;
    }
    check->remarks = xrealloc(check->remarks, (check->remark_count + 1) * sizeof *check->remarks);
    check->remarks[check->remark_count++] = xstrdup(remark);
}

bool check_is_slow(const struct check *check)
{
    return check->charged_us > SLOW_LIMITS * check->move_ms * 1000;
}

/* Whether another scenario is worth its time. A bot that never said hello will not do so the
 * next time. */
static bool continues(struct check *check)
{
    bool has_started = check->finding_count == 0 ||
                       check->findings[0].question != ALLEGRA_QUESTION_NONE ||
                       check->fine_count > 0;

    if (check->timeouts >= TIMEOUTS_MAX)
        check_remark(check, "The check stopped early: the bot used up all its time %u times.",
                     check->timeouts);
    else if (check->charged_us > SLOWEST_LIMITS * check->move_ms * 1000)
        check_remark(check,
                     "The check stopped early because the bot thinks too long: %zu of %zu "
                     "scenarios had passed by then. Let it think less for a full check.",
                     check->fine_count, scenario_count());
    else if (check->end_us != 0 && clock_now_us() >= check->end_us)
        check_remark(check,
                     "The check stopped early because its time was over: %zu of %zu scenarios had "
                     "passed by then. `referee check` has more time.",
                     check->fine_count, scenario_count());
    else if (!has_started)
        check_remark(check, "The check stopped early: without a hello nothing can be played.");
    else
        return true;
    return false;
}

static bool is_wanted(const struct check *check, const struct scenario *scenario)
{
    if (scenario->is_twice && !(check->has_hello && check->options.has_reuse))
        return false;
    if (scenario->is_rich && check->finding_count > 0)
        return false;
    return check_can_play(check, scenario);
}

/* Plays all scenarios, and then the rich ones with other cards, until everything has come up. */
static int play_all(struct check *check)
{
    for (size_t i = 0; i < scenario_count() && continues(check); i++) {
        const struct scenario *scenario = scenario_at(i);

        if (is_wanted(check, scenario) && check_play(check, scenario, 0) != 0)
            return -1;
    }
    for (size_t i = 0; i < scenario_count(); i++) {
        const struct scenario *scenario = scenario_at(i);

        for (unsigned attempt = 1;
             scenario->is_rich && is_wanted(check, scenario) && attempt <= ATTEMPTS_MAX &&
             check->finding_count == 0 && !check_is_slow(check) && continues(check) &&
             !coverage_is_complete(&check->coverage);
             attempt++) {
            if (check_play(check, scenario, attempt) != 0)
                return -1;
        }
    }
    return 0;
}

static void remark_times(struct check *check)
{
    if (check->slowest_us > check->move_ms * 500)
        check_remark(check,
                     "Its slowest answer (to `%s`) took %.0f ms, more than half of the limit of "
                     "%ld ms.",
                     allegra_question_name(check->slowest_question),
                     (double)check->slowest_us / 1e3, check->move_ms);
    if (check->start_us > check->start_ms * 500)
        check_remark(check, "It took %.0f ms to say hello, more than half of the limit of %ld ms.",
                     (double)check->start_us / 1e3, check->start_ms);
}

int check_run(struct check *check)
{
    bool is_faulty = false;

    check->base = event_base_new();
    if (check->base == NULL) {
        message_say("cannot set up the event loop");
        return CLI_FAILED;
    }
    check->interrupt = interrupt_watch(check->base, NULL, NULL);
    if (play_all(check) != 0) {
        if (interrupt_count() > 0)
            message_say("stopped");
        return CLI_FAILED;
    }
    remark_times(check);
    if (check->is_json)
        check_report_print_json(check);
    else
        check_report_print(check);
    for (size_t i = 0; i < check->finding_count; i++)
        is_faulty |= !check->findings[i].scenario->is_courtesy;
    return is_faulty ? CLI_BOT_FAULT : CLI_FINE;
}

/* Returns an exit code. */
static int run(struct check *check, const char *command)
{
    char message[600];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (rules_check(&check->game.rules, ALLEGRA_SEATS_MIN, &problem) != 0 ||
        bot_command_read(&check->command, command, &problem) != 0) {
        message_say("%s", message);
        return CLI_USAGE;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    interrupt_catch();
    check->sandbox = options_sandbox_open(check->level);
    if (check->sandbox == NULL ||
        options_sandbox_admit(check->sandbox, &check->command, NULL, false) != 0)
        return CLI_USAGE;
    return check_run(check);
}

struct check *check_new(void)
{
    struct check *check = xcalloc(1, sizeof *check);

    check->game = options_rules_default();
    check->seed = "check";
    check->move_ms = 1000;
    check->start_ms = 10000;
    check->fine = xcalloc(scenario_count(), sizeof(const struct scenario *));
    return check;
}

void check_free(struct check *check)
{
    for (size_t i = 0; i < check->finding_count; i++)
        finding_clear(&check->findings[i]);
    for (size_t i = 0; i < check->remark_count; i++)
        free(check->remarks[i]);
    free(check->findings);
    free(check->remarks);
    free(check->fine);
    interrupt_free(check->interrupt);
    if (check->base != NULL)
        event_base_free(check->base);
    sandbox_free(check->sandbox);
    bot_command_free(&check->command);
    free(check);
}

int cli_check(int argc, char **argv)
{
    struct check *check = check_new();
    int code;

    if (options_read(&options, argc, argv, check, &code) >= 0)
        code = deal_random_init() == 0 ? run(check, argv[1]) : CLI_FAILED;
    check_free(check);
    return code;
}
