/* The driver is its own listener. It copies borrowed results before it returns to the loop, and
 * counts the ends of questions, because each must end exactly once. */

#include "support/bot_driver.h"

#include <errno.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void driver_init(struct bot_driver *driver)
{
    memset(driver, 0, sizeof *driver);
    driver->base = event_base_new();
    driver->cpu = -1;
    driver->id = 6;
}

const char *driver_hostile_path(const char *name)
{
    static char path[1000];
    const char *build = getenv("BUILD");

    (void)snprintf(path, sizeof path, "%s/tests/hostile/%s", build != NULL ? build : "build", name);
    return path;
}

void driver_start(struct bot_driver *driver, const char *path, const char *argument)
{
    const char *argv[] = {path, argument, NULL};
    struct bot_spec spec = {
        .argv = argv,
        .folder = driver->folder,
        .environment = driver->environment,
        .memory_mb = driver->memory_mb,
        .clock = driver->clock,
        .label = "bot",
        .cpu = driver->cpu,
        .sandbox = driver->sandbox,
    };

    driver->bot = bot_start(driver->base, &spec);
    if (driver->bot == NULL) {
        perror("cannot start the bot");
        abort();
    }
}

void driver_start_hostile(struct bot_driver *driver, const char *name, const char *argument)
{
    driver_start(driver, driver_hostile_path(name), argument);
}

static enum bot_verdict note_answer(struct bot_driver *driver, const struct bot_time *time)
{
    driver->ends++;
    driver->outcome = BOT_ANSWERED;
    driver->time = *time;
    driver->was_in_buffer = false;
    driver->line[0] = '\0';
    driver->message[0] = '\0';
    (void)snprintf(driver->ending, sizeof driver->ending, "%s", bot_ending(driver->bot));
    (void)snprintf(driver->stderr_tail, sizeof driver->stderr_tail, "%s",
                   bot_stderr_tail(driver->bot, sizeof driver->stderr_tail - 1));
    return BOT_ACCEPT;
}

static enum bot_verdict refuse(struct bot_refusal *refusal, enum bot_outcome outcome,
                               const char *message)
{
    refusal->outcome = outcome;
    (void)snprintf(refusal->message, sizeof refusal->message, "%s", message);
    return BOT_REFUSE;
}

static enum bot_verdict on_hello(void *context, struct span line, const struct bot_time *time,
                                 struct bot_refusal *refusal)
{
    struct bot_driver *driver = context;

    driver->lines++;
    if (line.length >= 6 && strncmp(line.start, "hello ", 6) == 0)
        return note_answer(driver, time);
    return refuse(refusal, BOT_BAD_HELLO, "not a hello");
}

static enum bot_verdict on_line(void *context, struct span line, const struct bot_time *time,
                                struct bot_refusal *refusal)
{
    struct bot_driver *driver = context;
    char *end;

    driver->lines++;
    if (strncmp(line.start, "say ", 4) == 0)
        return BOT_MORE_TO_COME;
    if (strtoul(line.start, &end, 10) == driver->id && *end == ' ')
        return note_answer(driver, time);
    return refuse(refusal, BOT_UNASKED, "the number of another question");
}

static void on_failure(void *context, const struct bot_failure *failure)
{
    struct bot_driver *driver = context;

    driver->ends++;
    driver->outcome = failure->outcome;
    driver->time = failure->time;
    driver->was_in_buffer = failure->was_in_buffer;
    driver->is_starved = failure->is_starved;
    (void)snprintf(driver->line, sizeof driver->line, "%s", failure->line);
    (void)snprintf(driver->message, sizeof driver->message, "%s", failure->message);
    (void)snprintf(driver->ending, sizeof driver->ending, "%s", failure->ending);
    (void)snprintf(driver->stderr_tail, sizeof driver->stderr_tail, "%s", failure->stderr_tail);
}

static enum bot_outcome ask(struct bot_driver *driver, long limit_ms, bool is_hello)
{
    struct bot_listener listener = {is_hello ? on_hello : on_line, on_failure, driver};

    driver->ends = 0;
    driver->lines = 0;
    driver->is_starved = false;
    bot_ask(driver->bot, limit_ms * 1000, is_hello, &listener);
    if (driver->ends != 0)
        abort(); /* a question must not end within bot_ask() */
    while (driver->ends == 0)
        (void)event_base_loop(driver->base, EVLOOP_ONCE);
    return driver->outcome;
}

enum bot_outcome driver_hello(struct bot_driver *driver, long limit_ms)
{
    static const char greeting[] = "allegra 1 referee=test\n";

    bot_tell(driver->bot, greeting, strlen(greeting));
    return ask(driver, limit_ms, true);
}

enum bot_outcome driver_ask(struct bot_driver *driver, long limit_ms)
{
    char question[100];

    driver->id++;
    (void)snprintf(question, sizeof question, "legal pile|discard\nask %u draw %ld\n", driver->id,
                   limit_ms);
    bot_tell(driver->bot, question, strlen(question));
    return ask(driver, limit_ms, false);
}

enum bot_outcome driver_burn(struct bot_driver *driver, struct sandbox *sandbox)
{
    for (unsigned tries = 0; tries < 20; tries++) {
        if (tries > 0)
            driver_free(driver);
        driver_init(driver);
        driver->sandbox = sandbox;
        driver_start_hostile(driver, "burns_cpu", "30");
        if (driver_hello(driver, DRIVER_ENOUGH_MS) == BOT_ANSWERED &&
            driver_ask(driver, 90) == BOT_ANSWERED)
            break;
    }
    return driver->outcome;
}

static void on_left(void *context, struct bot *bot)
{
    struct bot_driver *driver = context;

    (void)snprintf(driver->ending, sizeof driver->ending, "%s", bot_ending(bot));
    driver->has_left = true;
}

void driver_leave(struct bot_driver *driver, long grace_ms)
{
    bot_leave(driver->bot, grace_ms, on_left, driver);
    driver->bot = NULL;
    if (driver->has_left)
        abort(); /* on_left() must not be called within bot_leave() */
    while (!driver->has_left)
        (void)event_base_loop(driver->base, EVLOOP_ONCE);
}

void driver_free(struct bot_driver *driver)
{
    bot_free(driver->bot);
    event_base_free(driver->base);
    driver->bot = NULL;
}
