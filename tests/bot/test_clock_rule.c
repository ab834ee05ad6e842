/* The two rules of time, over what a machine might have measured. Times are in milliseconds
 * here. */

#include "bot/clock_rule.h"

#include <criterion/criterion.h>

static struct clock_rule_sample sample_of(const int64_t ms[4], int64_t unbooked_ms)
{
    return (struct clock_rule_sample){.wall_us = ms[0] * 1000,
                                      .cpu_us = ms[1] * 1000,
                                      .wait_us = ms[2] * 1000,
                                      .away_us = ms[3] * 1000,
                                      .unbooked_us = unbooked_ms * 1000};
}

static const struct {
    const char *what;
    int64_t ms[4]; /* wall, CPU, wait, time in which the referee was away */
    int64_t fair_ms;
} charges[] = {
    {"nothing happened", {0, 0, 0, 0}, 0},
    {"it computed all the time", {8, 8, 0, 0}, 8},
    {"it slept", {30, 0, 0, 0}, 30},
    {"it slept after computing", {30, 5, 0, 0}, 30},
    {"it was kept waiting", {24, 5, 19, 0}, 5},
    {"it was kept waiting and then slept", {44, 5, 19, 0}, 25},
    {"the referee was away", {13, 5, 0, 8}, 5},
    {"both were", {32, 5, 19, 8}, 5},
    {"both were at the same time", {24, 5, 19, 8}, 5},
    {"threads waited for each other", {20, 20, 60, 0}, 20},
    {"threads on four cores", {10, 40, 0, 0}, 40},
    {"threads waited more than there was time", {10, 1, 90, 0}, 1},
};

Test(clock_rule, fair_time_is_wall_time_without_what_was_withheld)
{
    for (size_t i = 0; i < ARRAY_LEN(charges); i++) {
        struct clock_rule_sample sample = sample_of(charges[i].ms, 0);

        cr_expect_eq(clock_rule_charged_us(CLOCK_FAIR, &sample), charges[i].fair_ms * 1000, "%s",
                     charges[i].what);
    }
}

Test(clock_rule, wall_time_is_charged_as_it_is)
{
    for (size_t i = 0; i < ARRAY_LEN(charges); i++) {
        struct clock_rule_sample sample = sample_of(charges[i].ms, 5);

        cr_expect_eq(clock_rule_charged_us(CLOCK_WALL, &sample), charges[i].ms[0] * 1000, "%s",
                     charges[i].what);
    }
}

/* The limit is 10 ms. */
static const struct {
    const char *what;
    int64_t ms[4];
    int64_t unbooked_ms;
    enum clock_rule_verdict fair;
    enum clock_rule_verdict wall;
} verdicts[] = {
    {"before the limit", {9, 0, 0, 0}, 0, CLOCK_IN_TIME, CLOCK_IN_TIME},
    {"at the limit", {10, 10, 0, 0}, 0, CLOCK_IN_TIME, CLOCK_IN_TIME},
    {"a sleeper", {11, 0, 0, 0}, 0, CLOCK_IS_LATE, CLOCK_IS_LATE},
    {"a burner", {11, 11, 0, 0}, 1, CLOCK_IS_LATE, CLOCK_IS_LATE},
    {"a burner on four cores", {5, 20, 0, 0}, 5, CLOCK_IS_LATE, CLOCK_IN_TIME},
    {"a burner that was kept waiting", {40, 11, 29, 0}, 10, CLOCK_IS_LATE, CLOCK_IS_LATE},
    {"a starved bot", {40, 3, 35, 0}, 0, CLOCK_IN_TIME, CLOCK_IS_LATE},
    {"a starved bot that is up now", {40, 3, 0, 0}, 37, CLOCK_IN_TIME, CLOCK_IS_LATE},
    {"a starved bot that never ran", {199, 0, 0, 0}, 199, CLOCK_IN_TIME, CLOCK_IS_LATE},
    {"a sleeper that is up now", {40, 3, 0, 0}, 5, CLOCK_IS_LATE, CLOCK_IS_LATE},
    {"patience is not endless", {201, 0, 0, 0}, 201, CLOCK_IS_STARVED, CLOCK_IS_LATE},
    {"not for waiting either", {201, 1, 200, 0}, 0, CLOCK_IS_STARVED, CLOCK_IS_LATE},
    {"but a pause is not waiting", {900, 1, 0, 899}, 0, CLOCK_IN_TIME, CLOCK_IS_LATE},
    {"a sleeper is never starved", {900, 1, 0, 0}, 0, CLOCK_IS_LATE, CLOCK_IS_LATE},
    {"a starved bot that then sleeps", {40, 3, 20, 0}, 0, CLOCK_IS_LATE, CLOCK_IS_LATE},
    {"the referee was away", {40, 3, 0, 31}, 0, CLOCK_IN_TIME, CLOCK_IS_LATE},
};

Test(clock_rule, a_question_is_lost_only_by_complete_evidence)
{
    for (size_t i = 0; i < ARRAY_LEN(verdicts); i++) {
        struct clock_rule_sample sample = sample_of(verdicts[i].ms, verdicts[i].unbooked_ms);

        cr_expect_eq(clock_rule_judge(CLOCK_FAIR, &sample, 10000), verdicts[i].fair, "fair: %s",
                     verdicts[i].what);
        cr_expect_eq(clock_rule_judge(CLOCK_WALL, &sample, 10000), verdicts[i].wall, "wall: %s",
                     verdicts[i].what);
    }
}

static const struct {
    const char *what;
    int64_t ms[4];
    int64_t stolen_ms;
    int64_t fair_ms;
} thefts[] = {
    {"it was counted as running", {13, 13, 0, 0}, 8, 5},
    {"it was not counted at all", {42, 5, 29, 0}, 8, 5},
    {"it was counted in part", {60, 25, 0, 0}, 50, 10},
    {"a burner is a burner", {30, 30, 0, 0}, 5, 25},
    {"more was taken from all cores than there was time", {13, 13, 0, 0}, 99, 0},
};

Test(clock_rule, time_that_the_host_took_is_not_charged)
{
    for (size_t i = 0; i < ARRAY_LEN(thefts); i++) {
        struct clock_rule_sample sample = sample_of(thefts[i].ms, 0);

        sample.stolen_us = thefts[i].stolen_ms * 1000;
        cr_expect_eq(clock_rule_charged_us(CLOCK_FAIR, &sample), thefts[i].fair_ms * 1000, "%s",
                     thefts[i].what);
        cr_expect_eq(clock_rule_charged_us(CLOCK_WALL, &sample), sample.wall_us);
    }
}

Test(clock_rule, rules_have_names)
{
    enum clock_rule rule = CLOCK_FAIR;

    cr_assert_str_eq(clock_rule_name(CLOCK_FAIR), "fair");
    cr_assert_eq(clock_rule_read(span_of("wall"), &rule), 0);
    cr_assert_eq(rule, CLOCK_WALL);
    cr_assert_eq(clock_rule_read(span_of("fair"), &rule), 0);
    cr_assert_eq(rule, CLOCK_FAIR);
    cr_assert_eq(clock_rule_read(span_of("Fair"), &rule), -1);
    cr_assert_eq(clock_rule_read(span_of(""), &rule), -1);
}
