/* `referee check` plays a bot through everything that can happen to it, and says what its author should
 * know before somebody else finds out. A fault does not end the check, so that the report is complete;
 * only a bot that makes us wait again and again is not waited for any longer. */

#include "cli/check/cmd_check.h"

#include "base/deal_random.h"
#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/options_sandbox.h"
#include "cli/options_match.h"
#include "cli/options.h"

#include <event2/event.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_MAX_MS 86400000

/* After so many faults that took all their time the check stops. */
#define WAITS_MAX 3

/* After so much thinking in all the rest is short, and after so much there is none. */
#define SLOW_US 5000000
#define SLOWEST_US 60000000

/* How often the richest scenario is played again for what has not come up. */
#define ATTEMPTS_MAX 4

enum {
    OPTION_EDITION,
    OPTION_SEED,
    OPTION_MOVE_MS,
    OPTION_START_MS,
    OPTION_CONTAIN,
    OPTION_JSON,
};

static const struct option_row rows[] = {
    [OPTION_EDITION] = {"--edition", "NAME", "check by the rules of this edition only"},
    [OPTION_SEED] = {"--seed", "WORDS", "play with other cards and other opponents"},
    [OPTION_MOVE_MS] = {"--move-ms", "MS", "time for each answer (1000)"},
    [OPTION_START_MS] = {"--start-ms", "MS", "time to say hello (10000)"},
    [OPTION_CONTAIN] = {"--contain", "LEVEL", "auto, sealed, guarded or none (none)"},
    [OPTION_JSON] = {"--json", NULL, "print the report as one JSON document"},
};

static const struct options options = {
    .usage = "check [OPTION...] BOT",
    .purpose =
        "Plays a bot through every question, every edition and every table size, treats it\n"
        "roughly, and reports what is wrong and how to mend it. Exits with 0 if all is well,\n"
        "and with 3 if the bot would be dismissed.\n",
    .examples = "  referee check ./mybot\n"
                "  referee check --edition en2020 'python3 mybot.py'\n"
                "  referee check --json ./mybot | jq .wrong\n",
    .rows = rows,
    .count = ARRAY_LEN(rows),
    .most_words = 1,
};

/* What the options alone decide. */
struct wanted {
    struct check *check;
    enum sandbox_level level;
};

static int take_edition(struct check *check, const char *value)
{
    char words[200];
    struct text problem;
    struct allegra_rules rules;

    text_start(&problem, words, sizeof words);
    if (rules_read_edition(span_of(value), &rules, &problem) != 0) {
        message_say("%s", words);
        return -1;
    }
    check->has_edition = true;
    check->edition = (enum allegra_rules_edition)rules.edition;
    return 0;
}

static int take(void *context, size_t row, const char *value)
{
    struct wanted *wanted = context;
    struct check *check = wanted->check;

    switch (row) {
    case OPTION_EDITION:
        return take_edition(check, value);
    case OPTION_SEED:
        check->seed = value;
        return 0;
    case OPTION_MOVE_MS:
        return options_match_number(rows[row].name, value, 1, TIME_MAX_MS, &check->move_ms);
    case OPTION_START_MS:
        return options_match_number(rows[row].name, value, 1, TIME_MAX_MS, &check->start_ms);
    case OPTION_CONTAIN:
        return options_sandbox_read(value, &wanted->level);
    default:
        check->is_json = true;
        return 0;
    }
}

void check_remark(struct check *check, const char *format, ...)
{
    char words[600];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < check->remark_count; i++) {
        if (strcmp(check->remarks[i], words) == 0)
            return;
    }
    check->remarks = xrealloc(check->remarks, (check->remark_count + 1) * sizeof *check->remarks);
    check->remarks[check->remark_count++] = xstrdup(words);
}

bool check_is_slow(const struct check *check)
{
    return check->charged_us > SLOW_US;
}

/* Whether the check goes on. A bot that never said hello will not do so the next time. */
static bool goes_on(struct check *check)
{
    bool has_started = check->finding_count == 0 ||
                       check->findings[0].question != ALLEGRA_QUESTION_NONE ||
                       check->fine_count > 0;

    if (check->waits >= WAITS_MAX)
        check_remark(check, "The check stopped early: the bot used up all its time %u times.",
                     check->waits);
    else if (check->charged_us > SLOWEST_US)
        check_remark(check,
                     "The check stopped early, because the bot thinks so long: %zu of %zu "
                     "scenarios went well until then. Let it think less for a full check.",
                     check->fine_count, scenario_count());
    else if (!has_started)
        check_remark(check, "The check stopped early: without a hello nothing can be played.");
    else
        return true;
    return false;
}

static bool is_wanted(const struct check *check, const struct scenario *scenario)
{
    if (scenario->is_twice)
        return check->has_hello && check->options.has_reuse;
    if (scenario->is_rich && check->finding_count > 0)
        return false;
    if (!check->has_edition)
        return true;
    return !scenario->has_own_rules;
}

static int play_table(struct check *check)
{
    for (size_t i = 0; i < scenario_count() && goes_on(check); i++) {
        const struct scenario *scenario = scenario_at(i);

        if (is_wanted(check, scenario) && check_play(check, scenario, 0) != 0)
            return -1;
    }
    return 0;
}

/* What has not come up by itself may come up with other cards. */
static int play_more(struct check *check)
{
    for (size_t i = 0; i < scenario_count(); i++) {
        const struct scenario *scenario = scenario_at(i);

        for (unsigned attempt = 1; scenario->is_rich && is_wanted(check, scenario) &&
                                   attempt <= ATTEMPTS_MAX && check->finding_count == 0 &&
                                   !check_is_slow(check) && !coverage_is_complete(&check->coverage);
             attempt++) {
            if (check_play(check, scenario, attempt) != 0)
                return -1;
        }
    }
    return 0;
}

static void look_at_times(struct check *check)
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

static bool is_faulty(const struct check *check)
{
    for (size_t i = 0; i < check->finding_count; i++) {
        if (!check->findings[i].scenario->is_courtesy)
            return true;
    }
    return false;
}

static int run(struct check *check)
{
    int code = CLI_FAILED;

    check->base = event_base_new();
    if (check->base == NULL) {
        message_say("the event loop could not be set up");
        return CLI_FAILED;
    }
    if (play_table(check) == 0 && play_more(check) == 0) {
        look_at_times(check);
        if (check->is_json)
            check_report_print_json(check);
        else
            check_report_print(check);
        code = is_faulty(check) ? CLI_BOT_FAULT : CLI_FINE;
    }
    event_base_free(check->base);
    return code;
}

static int start(struct check *check, const char *words, enum sandbox_level level)
{
    char sentence[600];
    struct text problem;

    text_start(&problem, sentence, sizeof sentence);
    if (bot_command_read(&check->command, words, &problem) != 0) {
        message_say("%s", sentence);
        return CLI_USAGE;
    }
    signal(SIGPIPE, SIG_IGN);
    check->sandbox = options_sandbox_open(level, true);
    if (check->sandbox == NULL || options_sandbox_admit(check->sandbox, &check->command, NULL) != 0)
        return CLI_USAGE;
    return run(check);
}

void finding_clear(struct finding *finding)
{
    free(finding->lines);
    free(finding->line);
    free(finding->words);
    free(finding->ending);
    free(finding->stderr_tail);
}

static void clean_up(struct check *check)
{
    for (size_t i = 0; i < check->finding_count; i++)
        finding_clear(&check->findings[i]);
    for (size_t i = 0; i < check->remark_count; i++)
        free(check->remarks[i]);
    free(check->findings);
    free(check->remarks);
    free(check->fine);
    sandbox_free(check->sandbox);
    bot_command_free(&check->command);
    free(check);
}

int cli_check(int argc, char **argv)
{
    struct check *check = xcalloc(1, sizeof *check);
    struct wanted wanted = {check, SANDBOX_NONE};
    size_t words = 0;
    enum options_result result;
    int code = CLI_USAGE;

    check->seed = "check";
    check->move_ms = 1000;
    check->start_ms = 10000;
    check->fine = xcalloc(scenario_count(), sizeof(const struct scenario *));
    result = options_read(&options, argc, argv, take, &wanted, &words);
    if (result == OPTIONS_HELP)
        code = CLI_FINE;
    else if (result == OPTIONS_FINE && words == 0)
        message_say("check needs a BOT; see `referee check --help`");
    else if (result == OPTIONS_FINE && deal_random_init() == 0)
        code = start(check, argv[1], wanted.level);
    clean_up(check);
    return code;
}
