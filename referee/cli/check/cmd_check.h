#ifndef REFEREE_CLI_CHECK_CMD_CHECK_H
#define REFEREE_CLI_CHECK_CMD_CHECK_H

/* What the files of `referee check` share: the scenarios (scenarios.h), one match of a scenario
 * (scenario_play.c) with its forced moves (forced_moves.h), the situations that the bot has met
 * (coverage.h), the likely causes of faults (finding.h), and the report (check_report.c). */

#include "base/histogram.h"
#include "bot/bot_command.h"
#include "sandbox/sandbox.h"
#include "cli/check/finding.h"
#include "cli/check/coverage.h"
#include "cli/check/scenarios.h"
#include "cli/options_rules.h"
#include "match/match_host.h"
#include "wire/bot_line.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_base;

/* One call of `referee check`. */
struct check {
    struct event_base *base;
    struct interrupt *interrupt;
    struct bot_command command;
    struct match_host_process process; /* where it runs */
    int64_t end_us;                    /* by clock_now_us(): no match begins later; 0: no end */
    enum sandbox_level level;
    struct sandbox *sandbox;
    const char *seed;
    long move_ms;
    long start_ms;
    struct options_rules game; /* check by these only, if they are given */
    bool is_json;

    unsigned matches;
    struct bot_line_options options; /* of its hello, once it has played a match */
    bool has_hello;
    struct coverage coverage;
    struct finding *findings;
    size_t finding_count;
    char **remarks; /* sentences about what is worth a look */
    size_t remark_count;
    size_t fine_count;
    size_t *fine;       /* the numbers of the scenarios that it passed */
    unsigned timeouts;  /* faults that used up all their time */
    int64_t start_us;   /* the longest */
    int64_t charged_us; /* for all answers together */
    struct histogram times;
    int64_t slowest_us;
    enum allegra_question slowest_question;
};

/* A check with the defaults of the command line, without a bot. Frees all that it has, also
 * `command` and `sandbox`. */
struct check *check_new(void);
void check_free(struct check *check);

/* Checks the bot, which is admitted to the sandbox, and prints the report. Returns an enum
 * cli_exit. */
int check_run(struct check *check);

/* Adds a remark, unless it is there already. */
void check_remark(struct check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the bot has used so much time that the remaining matches are to be short. */
bool check_is_slow(const struct check *check);

/* Plays a scenario; each `attempt` (from 0) has other cards and opponents. Returns 0, or -1
 * after it reported a problem that is not the bot's fault. */
int check_play(struct check *check, const struct scenario *scenario, unsigned attempt);

/* Whether the user chose the rules. */
bool check_has_rules(const struct check *check);

/* The rules that a scenario is played by. A slow bot plays short rounds. */
struct allegra_rules check_rules(const struct check *check, const struct scenario *scenario);

/* Whether a scenario can come up in the rules that the user chose, or the user chose none. */
bool check_can_play(const struct check *check, const struct scenario *scenario);

void check_report_print(const struct check *check);
void check_report_print_json(const struct check *check);

#endif
