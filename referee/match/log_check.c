/* Header, times and texts. The charged time follows from the measured ones, and whether an answer
 * is measured from its length. What a bot said is held against the rules of the talk. */

#include "match/log_check.h"

#include "bot/move_timer.h"
#include "game/rules.h"
#include "sandbox/sandbox.h"

#include <stdio.h>
#include <string.h>

/* A bot that stayed was asked for at least two cards to turn in the match before. */
#define ASKED_LEAST 2

#define BRANCH_HASH_DIGITS 64

/* The longest that a referee that is there may take to look at a question once more. */
#define LAG_MOST_US (INT64_C(3600) * 1000000)

/* The host can take time from each core of a machine; none has more. */
#define MACHINE_CORES_MOST 8192

/* The longest that a match may be held up as a whole. */
#define PAUSE_MOST_US (INT64_C(7) * 86400 * 1000000)

/* Two ticks of 10 ms for each of the processes that a bot may have, and some. */
#define ROUNDED_MOST_US (INT64_C(3) * 1000000)

static int complain(struct text *problem, const char *what)
{
    text_add(problem, what);
    return -1;
}

static bool is_hash(const char *text)
{
    return strlen(text) == BRANCH_HASH_DIGITS &&
           strspn(text, "0123456789abcdef") == BRANCH_HASH_DIGITS;
}

static int check_bot(const struct log_record_header *header, const struct log_record_bot *bot,
                     struct text *problem)
{
    if (bot->hash[0] != '\0' && !is_hash(bot->hash))
        return complain(problem, "the hash of a bot is not 64 hexadecimal digits");
    if (bot->name[0] == '\0')
        return complain(problem, "a bot has no name");
    if (bot->command[0] == '\0')
        return complain(problem, "a bot has no command");
    if (!bot->is_kept)
        return 0;
    if (!header->keeps_bots || !bot->options.has_reuse)
        return complain(problem, "a bot has played before, but bots were not kept or it cannot");
    if (bot->asked_before < ASKED_LEAST)
        return complain(problem, "a bot has played before, but was not asked anything there");
    return 0;
}

int log_check_header(const struct log_record_header *header, struct text *problem)
{
    enum sandbox_level level;

    if (sandbox_level_read(span_of(header->sandbox), &level) != 0)
        return complain(problem, "there is no such sandbox level");
    if (level == SANDBOX_AUTO)
        return complain(problem, "a log has the level that `auto` came to");
    if (level == SANDBOX_NONE && header->enforced[0] != '\0')
        return complain(problem, "without a sandbox nothing is enforced");
    if (!sandbox_is_enforced_of(level, header->enforced))
        return complain(problem, "`enforced` does not list parts of that sandbox level");
    if (header->variant[0] != '\0' &&
        rules_variant_check_name(span_of(header->variant), header->rules, problem) != 0)
        return -1;
    if (header->branch_of != NULL && !is_hash(header->branch_of))
        return complain(problem, "the log that it branches off is not named by its hash");
    for (unsigned seat = 0; seat < header->seats; seat++) {
        if (check_bot(header, &header->bots[seat], problem) != 0)
            return -1;
    }
    return 0;
}

/* Whether a bot cannot leave its cores, which only the filter forbids. */
static bool is_held(const struct match_setup *setup)
{
    return setup->enforced != NULL && sandbox_lists(setup->enforced, SANDBOX_FILTER);
}

/* Whether its cores can do that in the time. The books may have been opened a little before the
 * question, and the kernel rounds them for each process. A bot that may leave its cores may use any
 * number of them. */
static bool is_computable(const struct match_setup *setup, const struct log_record_time *time,
                          int64_t limit_us)
{
    unsigned cores = setup->cores > 0 ? setup->cores : 1;

    return !is_held(setup) ||
           (time->cpu_us - ROUNDED_MOST_US) / cores - move_timer_fresh_us(limit_us) <=
               time->wall_us;
}

static int check_measured(const struct match_setup *setup, const struct log_record_time *time,
                          int64_t limit_us, struct text *problem)
{
    struct clock_rule_sample sample = {
        .wall_us = time->wall_us,
        .cpu_us = time->cpu_us,
        .wait_us = time->wait_us,
        .away_us = time->away_us,
        .stolen_us = time->stolen_us,
    };
    int64_t charged_us = clock_rule_charged_us(setup->clock, &sample);

    if (setup->clock != CLOCK_FAIR)
        return complain(problem, "only the fair clock measures more than the wall time");
    if (time->wall_us <= move_timer_quick_us(limit_us, setup->cores))
        return complain(problem, "it was too quick to be measured");
    if (time->wait_us > time->wall_us || time->away_us > time->wall_us)
        return complain(problem, "more time was withheld from it than there was");
    if (time->stolen_us / MACHINE_CORES_MOST > time->wall_us + move_timer_fresh_us(limit_us))
        return complain(problem, "no host can take so much time");
    if (time->wall_us - time->away_us > CLOCK_PATIENCE * limit_us + LAG_MOST_US)
        return complain(problem, "no bot is awaited for so long");
    if (!is_computable(setup, time, limit_us))
        return complain(problem, "its cores cannot compute for so long in that time");
    if (charged_us == time->charged_us)
        return 0;
    text_printf(problem, "it was charged %lld us, and by the clock it is %lld us",
                (long long)time->charged_us, (long long)charged_us);
    return -1;
}

/* Whether a bot can have used that without being asked: only the machine knows how long it was not,
 * but the match was not longer than all its questions, and what may hold it up. */
static bool is_ponderable(const struct match *match, int64_t pondered_us)
{
    const struct match_setup *setup = match_setup_of(match);
    int64_t question_us =
        CLOCK_PATIENCE * INT64_C(1000) * (setup->move_ms + setup->bank_ms) + LAG_MOST_US;
    int64_t match_us = (int64_t)(match_decisions(match) + 1) * question_us +
                       CLOCK_PATIENCE * INT64_C(1000) * setup->start_ms + PAUSE_MOST_US;
    unsigned cores = !is_held(setup) ? MACHINE_CORES_MOST : setup->cores > 0 ? setup->cores : 1;

    return pondered_us / cores <= match_us;
}

int log_check_time(const struct match *match, const struct log_record_time *time, int64_t limit_us,
                   struct text *problem)
{
    const struct match_setup *setup = match_setup_of(match);

    if (!is_ponderable(match, time->pondered_us))
        return complain(problem, "no bot can think for so long without having been asked");
    if (time->pondered_us != 0 && time->pondered_us < MOVE_TIMER_CALM_US)
        return complain(problem, "so little time without a question is not counted");
    if (time->is_measured)
        return check_measured(setup, time, limit_us, problem);
    if (setup->clock == CLOCK_FAIR &&
        time->charged_us > move_timer_quick_us(limit_us, setup->cores))
        return complain(problem, "it took so long that wall, CPU and waiting time belong to it");
    if (time->charged_us > limit_us + LAG_MOST_US)
        return complain(problem, "no bot is awaited for so long");
    return 0;
}

/* What another log gave has neither times nor texts. */
static int check_given(const struct log_record_answer *answer, struct text *problem)
{
    const struct log_record_time *time = &answer->time;

    if (time->charged_us != 0 || time->pondered_us != 0 || time->is_measured ||
        answer->say_count > 0)
        return complain(problem, "what is taken from another log takes no time and says nothing");
    return 0;
}

int log_check_answer(const struct match *match, const struct log_record_answer *answer,
                     struct text *problem)
{
    const struct match_setup *setup = match_setup_of(match);
    int64_t limit_us = match_limit_us(match, answer->seat);

    if (match_decisions(match) < setup->branch_at)
        return check_given(answer, problem);
    if (answer->say_count > 0 && !setup->rules.talk)
        return complain(problem, "something was said, although nobody may talk (talk=off)");
    if (answer->time.charged_us > limit_us)
        return complain(problem, "the answer took longer than its time, but is no fault");
    return log_check_time(match, &answer->time, limit_us, problem);
}

enum bot_outcome log_check_outcome(const char *code)
{
    for (unsigned i = BOT_ANSWERED + 1; i < BOT_OUTCOME_COUNT; i++) {
        if (strcmp(bot_outcome_name((enum bot_outcome)i), code) == 0)
            return (enum bot_outcome)i;
    }
    return BOT_ANSWERED;
}
