/* Real processes that misbehave, each asked until the room has found out. What must succeed gets
 * more time than any machine needs; what must fail gets little. */

#include "bot/bot.h"
#include "bot/fault_text.h"
#include "support/bot_driver.h"

#include <criterion/criterion.h>
#include <string.h>

#define SHORT_MS 60

static struct bot_driver driver;

static void begin(const char *name)
{
    driver_init(&driver);
    driver_start_hostile(&driver, name, NULL);
}

/* The bot has said hello and is asked `name`'s first question next. */
static void begin_with_hello(const char *name)
{
    begin(name);
    cr_assert_eq(driver_hello(&driver, DRIVER_ENOUGH_MS), BOT_ANSWERED, "%s: %s", name,
                 driver.message);
}

static void expect_ask(long limit_ms, enum bot_outcome outcome, const char *message,
                       const char *line)
{
    enum bot_outcome actual = driver_ask(&driver, limit_ms);

    cr_expect_eq(actual, outcome, "%s, not %s: %s [%s]", bot_outcome_name(actual),
                 bot_outcome_name(outcome), driver.message, driver.line);
    cr_expect(strstr(driver.message, message) != NULL, "\"%s\" is not in \"%s\"", message,
              driver.message);
    cr_expect_str_eq(driver.line, line);
}

/* One question, and how it ends. */
static const struct {
    const char *name;
    long limit_ms;
    enum bot_outcome outcome;
    const char *message;
    const char *line;
} first_questions[] = {
    {"good", DRIVER_ENOUGH_MS, BOT_ANSWERED, "", ""},
    {"byte_by_byte", DRIVER_ENOUGH_MS, BOT_ANSWERED, "", ""},
    {"crlf", DRIVER_ENOUGH_MS, BOT_ANSWERED, "", ""},
    {"early_hello", DRIVER_ENOUGH_MS, BOT_ANSWERED, "", ""},
    {"nonblocking_pipes", DRIVER_ENOUGH_MS, BOT_ANSWERED, "", ""},
    {"child_answers", DRIVER_ENOUGH_MS, BOT_ANSWERED, "", ""},
    {"late", SHORT_MS, BOT_LATE, "within 60 ms; it slept or waited for ", ""},
    {"silent", SHORT_MS, BOT_LATE, "it did not answer within 60 ms", ""},
    {"half_line", SHORT_MS, BOT_LATE, "it did not answer within 60 ms", ""},
    {"stops_itself", SHORT_MS, BOT_LATE, "it did not answer within 60 ms", ""},
    {"never_reads", SHORT_MS, BOT_LATE, "it did not answer within 60 ms", ""},
    {"burns_cpu", SHORT_MS, BOT_LATE, "within 60 ms; it computed for ", ""},
    {"does_not_flush", SHORT_MS, BOT_LATE, "your answer was in your buffer: flush", ""},
    {"closes_stdin", SHORT_MS, BOT_DEAF, "it closed its input", ""},
    {"closes_stdout", DRIVER_ENOUGH_MS, BOT_GONE, "it closed its output", ""},
    {"dies_by_signal", DRIVER_ENOUGH_MS, BOT_GONE,
     "it was killed by signal 11 (Segmentation fault)", ""},
    {"grandchild_holds_pipe", DRIVER_ENOUGH_MS, BOT_GONE, "it ended with exit status 3", ""},
    {"answers_before_question", DRIVER_ENOUGH_MS, BOT_UNASKED, "", "0 pile"},
    {"nul_bytes", DRIVER_ENOUGH_MS, BOT_UNREADABLE, "not printable ASCII", "7 a\\x00b"},
    {"non_ascii", DRIVER_ENOUGH_MS, BOT_UNREADABLE, "not printable ASCII",
     "7 n\\xc3\\xb6\\x1b[2J\\\\"},
    {"blank_lines", DRIVER_ENOUGH_MS, BOT_UNREADABLE, "its line is empty", ""},
    {"say_flood", DRIVER_ENOUGH_MS, BOT_FLOOD, "far more lines", "say I wonder"},
};

/* Asks the first question, again and again if the machine is too busy to run the bot: then the
 * outcome says nothing about it. */
static void ask_first(const char *name, long limit_ms)
{
    begin_with_hello(name);
    while (driver_ask(&driver, limit_ms) != BOT_ANSWERED && driver.is_starved) {
        driver_free(&driver);
        begin_with_hello(name);
    }
}

Test(bot, each_way_to_misbehave_has_its_outcome)
{
    for (size_t i = 0; i < ARRAY_LEN(first_questions); i++) {
        ask_first(first_questions[i].name, first_questions[i].limit_ms);
        cr_expect_eq(driver.outcome, first_questions[i].outcome, "%s: %s, %s",
                     first_questions[i].name, bot_outcome_name(driver.outcome), driver.message);
        cr_expect(strstr(driver.message, first_questions[i].message) != NULL, "%s: %s",
                  first_questions[i].name, driver.message);
        cr_expect_str_eq(driver.line, first_questions[i].line, "%s: %s", first_questions[i].name,
                         driver.line);
        cr_expect_eq(driver.was_in_buffer, strcmp(first_questions[i].name, "does_not_flush") == 0,
                     "%s", first_questions[i].name);
        driver_free(&driver);
    }
}

/* It answers soon after its time is over, when a bot that does not flush would be found out. By
 * wall time it is late however busy the machine is. */
Test(bot, a_bot_that_slept_too_long_is_not_told_to_flush)
{
    static const char *const sleeps_ms[] = {"90", "150", "280", "400"};

    for (size_t i = 0; i < ARRAY_LEN(sleeps_ms); i++) {
        driver_init(&driver);
        driver.clock = CLOCK_WALL;
        driver_start_hostile(&driver, "late", sleeps_ms[i]);
        cr_assert_eq(driver_hello(&driver, DRIVER_ENOUGH_MS), BOT_ANSWERED);
        driver_ask(&driver, SHORT_MS);
        cr_expect_eq(driver.outcome, BOT_LATE, "%s ms: %s", sleeps_ms[i], driver.message);
        cr_expect_not(driver.was_in_buffer, "%s ms", sleeps_ms[i]);
        cr_expect(strstr(driver.message, "buffer") == NULL, "%s", driver.message);
        driver_free(&driver);
    }
}

static void expect_late(struct fault_text late, const char *message)
{
    char buffer[200];
    struct text text;

    late.outcome = BOT_LATE;
    late.limit_us = 1000000;
    text_start(&text, buffer, sizeof buffer);
    fault_text_write(&text, &late);
    cr_expect_str_eq(buffer, message);
}

Test(bot, a_bot_that_was_late_learns_whether_it_computed_or_slept)
{
    expect_late((struct fault_text){.charged_us = 1100000, .cpu_us = 50000, .is_measured = true},
                "it did not answer within 1000 ms; it slept or waited for 1050 of 1100 ms");
    expect_late((struct fault_text){.charged_us = 1100000, .cpu_us = 980000, .is_measured = true},
                "it did not answer within 1000 ms; it computed for 980 of 1100 ms");
    expect_late((struct fault_text){.charged_us = 1100000, .cpu_us = 1200000, .is_measured = true},
                "it did not answer within 1000 ms; it computed for 1100 of 1100 ms");
    expect_late((struct fault_text){.charged_us = 1100000, .has_line = true},
                "its answer came after 1100 ms; the limit is 1000 ms");
    expect_late(
        (struct fault_text){.charged_us = 1100000, .is_measured = true, .was_in_buffer = true},
        "it did not answer within 1000 ms: your answer was in your buffer: flush your output after "
        "each line");
}

static const struct {
    const char *name;
    long limit_ms;
    enum bot_outcome outcome;
    const char *message;
    const char *line;
} hellos[] = {
    {"good", DRIVER_ENOUGH_MS, BOT_ANSWERED, "", ""},
    {"no_hello", SHORT_MS, BOT_NO_START, "it did not say hello within 60 ms", ""},
    {"bad_hello", DRIVER_ENOUGH_MS, BOT_BAD_HELLO, "not a hello", "Welcome to 100% of my bot!"},
    {"exits_at_once", DRIVER_ENOUGH_MS, BOT_NO_START,
     "it ended with exit status 1 before it said hello", ""},
};

Test(bot, each_bad_hello_has_its_outcome)
{
    for (size_t i = 0; i < ARRAY_LEN(hellos); i++) {
        begin(hellos[i].name);
        driver_hello(&driver, hellos[i].limit_ms);
        cr_expect_eq(driver.outcome, hellos[i].outcome, "%s: %s, %s", hellos[i].name,
                     bot_outcome_name(driver.outcome), driver.message);
        cr_expect(strstr(driver.message, hellos[i].message) != NULL, "%s: %s", hellos[i].name,
                  driver.message);
        cr_expect_str_eq(driver.line, hellos[i].line, "%s: %s", hellos[i].name, driver.line);
        driver_free(&driver);
    }
}

/* It takes 300 ms before it reads what is in its pipe, and as long for its answer. */
Test(bot, the_clock_of_a_question_runs_while_the_pipe_is_full)
{
    static char notices[100000];

    memset(notices, 'x', sizeof notices);
    for (size_t i = 99; i < sizeof notices; i += 100)
        notices[i] = '\n';
    begin_with_hello("reads_at_the_last_moment");
    bot_tell(driver.bot, notices, sizeof notices);
    expect_ask(400, BOT_LATE, "400 ms", driver.line);
    driver_free(&driver);
}

Test(bot, many_questions_are_answered_one_after_the_other)
{
    begin_with_hello("good");
    for (int i = 0; i < 500; i++)
        expect_ask(DRIVER_ENOUGH_MS, BOT_ANSWERED, "", "");
    driver_leave(&driver, DRIVER_ENOUGH_MS);
    cr_assert_str_eq(driver.ending, "exit status 0", "it goes by itself when its input ends");
    driver_free(&driver);
}

Test(bot, a_good_answer_before_the_exit_counts)
{
    begin_with_hello("exits_after_answer");
    expect_ask(DRIVER_ENOUGH_MS, BOT_ANSWERED, "", "");
    expect_ask(DRIVER_ENOUGH_MS, BOT_GONE, "it ended with exit status 0", "");
    expect_ask(DRIVER_ENOUGH_MS, BOT_GONE, "it ended with exit status 0", "");
    driver_free(&driver);
}

Test(bot, the_second_of_two_answers_is_unasked_at_the_next_question)
{
    begin_with_hello("two_answers");
    expect_ask(DRIVER_ENOUGH_MS, BOT_ANSWERED, "", "");
    expect_ask(DRIVER_ENOUGH_MS, BOT_UNASKED, "before it was asked", "7 pile");
    driver_free(&driver);
}

Test(bot, a_flood_of_good_answers_is_found_at_the_next_question)
{
    begin_with_hello("flood");
    expect_ask(DRIVER_ENOUGH_MS, BOT_ANSWERED, "", "");
    expect_ask(DRIVER_ENOUGH_MS, BOT_FLOOD, "far more lines", "7 pile");
    driver_free(&driver);
}

Test(bot, a_line_without_end_is_too_long_as_soon_as_it_is_known)
{
    static const char *const names[] = {"flood_no_newline", "ten_megabyte_line"};

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        begin_with_hello(names[i]);
        cr_expect_eq(driver_ask(&driver, DRIVER_ENOUGH_MS), BOT_TOO_LONG, "%s: %s", names[i],
                     driver.message);
        cr_expect(strlen(driver.line) == 256 + 3, "%zu bytes are shown", strlen(driver.line));
        driver_free(&driver);
    }
}

static void tell_kilobytes(unsigned kilobytes)
{
    char notice[1024];

    memset(notice, 'x', sizeof notice);
    notice[sizeof notice - 1] = '\n';
    for (unsigned i = 0; i < kilobytes; i++)
        bot_tell(driver.bot, notice, sizeof notice);
}

Test(bot, a_bot_that_reads_nothing_is_deaf_when_the_pipe_is_full)
{
    begin_with_hello("never_reads");
    tell_kilobytes(300);
    expect_ask(SHORT_MS, BOT_DEAF, "the question could not be written within 60 ms", "");
    driver_free(&driver);
}

Test(bot, for_a_bot_that_reads_nothing_no_more_than_a_megabyte_is_kept)
{
    begin_with_hello("never_reads");
    tell_kilobytes(3000);
    expect_ask(DRIVER_ENOUGH_MS, BOT_DEAF, "more than 1 MiB was waiting", "");
    driver_free(&driver);
}

Test(bot, a_slow_reader_gets_everything)
{
    begin_with_hello("good");
    for (int i = 0; i < 3; i++) {
        tell_kilobytes(1000);
        expect_ask(DRIVER_ENOUGH_MS, BOT_ANSWERED, "", "");
    }
    driver_free(&driver);
}

Test(bot, a_flood_on_stderr_is_drained_and_kept_in_part)
{
    const char *kept;
    size_t length;

    begin_with_hello("stderr_flood");
    expect_ask(DRIVER_ENOUGH_MS, BOT_ANSWERED, "", "");
    driver_ask(&driver, DRIVER_ENOUGH_MS);
    kept = bot_stderr(driver.bot, &length);
    cr_assert_lt(length, 66 * 1024);
    cr_assert_eq(strncmp(kept, "first words\n", 12), 0);
    cr_assert(strstr(kept, " bytes left out ...]\n") != NULL);
    cr_assert(strstr(kept, "100%s of noise") != NULL, "a percent sign is just a percent sign");
    driver_free(&driver);
}

Test(bot, a_fault_has_the_last_lines_of_stderr)
{
    begin("exits_at_once");
    driver_hello(&driver, DRIVER_ENOUGH_MS);
    cr_assert_str_eq(driver.stderr_tail, "reading the book\ncannot find \\x1b[31mthe book");
    cr_assert_str_eq(driver.ending, "exit status 1");
    cr_assert_str_eq(bot_stderr_tail(driver.bot, 40), "cannot find \\x1b[31mthe book",
                     "only whole lines, if one fits");
    driver_free(&driver);
    begin_with_hello("dies_by_signal");
    driver_ask(&driver, DRIVER_ENOUGH_MS);
    cr_assert_str_eq(driver.stderr_tail, "about to crash");
    driver_free(&driver);
}

/* Under the fair clock the same bots are late as under the wall clock, since none starves
 * them. */
Test(bot, a_sleeper_and_a_burner_are_late_by_both_clocks)
{
    static const char *const names[] = {"late", "burns_cpu"};

    for (int i = 0; i < 4; i++) {
        driver_init(&driver);
        driver.clock = i < 2 ? CLOCK_FAIR : CLOCK_WALL;
        driver_start_hostile(&driver, names[i % 2], NULL);
        cr_assert_eq(driver_hello(&driver, DRIVER_ENOUGH_MS), BOT_ANSWERED);
        cr_expect_eq(driver_ask(&driver, 150), BOT_LATE, "%s by %s", names[i % 2],
                     clock_rule_name(driver.clock));
        cr_expect_gt(driver.time.charged_us, 150000);
        cr_expect_leq(driver.time.charged_us, driver.time.wall_us);
        cr_expect_eq(driver.time.is_measured, driver.clock == CLOCK_FAIR);
        driver_free(&driver);
    }
}

Test(bot, a_slow_answer_is_measured_and_a_quick_one_is_not)
{
    cr_assert_eq(driver_burn(&driver, NULL), BOT_ANSWERED, "30 ms of 90, by the fair clock");
    cr_assert(driver.time.is_measured);
    cr_assert_geq(driver.time.cpu_us, 25000, "it burned 30 ms: %ld us", (long)driver.time.cpu_us);
    cr_assert_leq(driver.time.charged_us, 90000);
    cr_assert_eq(driver_ask(&driver, 20 * DRIVER_ENOUGH_MS), BOT_ANSWERED);
    cr_assert_not(driver.time.is_measured);
    driver_free(&driver);
}

Test(bot, outcomes_have_names)
{
    static const char *const names[] = {"answered", "late",     "illegal",  "unreadable",
                                        "too_long", "flood",    "unasked",  "gone",
                                        "deaf",     "no_start", "bad_hello"};

    cr_assert_eq(ARRAY_LEN(names), BOT_OUTCOME_COUNT);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        cr_assert_str_eq(bot_outcome_name((enum bot_outcome)i), names[i]);
}
