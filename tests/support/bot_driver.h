#ifndef TESTS_SUPPORT_BOT_DRIVER_H
#define TESTS_SUPPORT_BOT_DRIVER_H

/* Talks to one bot, one question at a time: each call runs the loop until its question has ended.
 * The listener accepts a line with the number of the question, ignores `say` lines, and treats
 * every other number as unasked. */

#include "bot/bot.h"

#include <stdbool.h>
#include <stddef.h>

#define DRIVER_ENOUGH_MS 300000 /* for questions that must not time out on a busy machine */

struct event_base;

struct bot_driver {
    struct event_base *base;
    struct bot *bot;
    enum clock_rule clock; /* set this and the next five before the start */
    int cpu;
    const char *folder;
    const char *const *environment;
    long memory_mb;
    struct sandbox *sandbox; /* borrowed */
    unsigned id;             /* of the last question */
    bool has_left;

    /* How the last question ended. */
    unsigned ends; /* must be 1 */
    unsigned lines;
    enum bot_outcome outcome;
    struct bot_time time;
    bool was_in_buffer;
    bool is_starved;
    char line[2048];
    char message[1024];
    char stderr_tail[640]; /* as it was at that moment */
    char ending[100];
};

void driver_init(struct bot_driver *driver);

/* Starts a program, with at most one argument. */
void driver_start(struct bot_driver *driver, const char *path, const char *argument);

/* Starts a program of tests/hostile. */
void driver_start_hostile(struct bot_driver *driver, const char *name, const char *argument);

/* Sends the greeting and waits for the hello. */
enum bot_outcome driver_hello(struct bot_driver *driver, long limit_ms);

/* Asks the next question. */
enum bot_outcome driver_ask(struct bot_driver *driver, long limit_ms);

/* Starts a bot that computes for 30 ms before each answer, and asks it with a limit of 90 ms. On a
 * busy machine it may not get to run for twenty times that limit, after which it is late whatever
 * it used. So if it is late, another bot is tried, up to 20 times. */
enum bot_outcome driver_burn(struct bot_driver *driver, struct sandbox *sandbox);

/* Dismisses the bot and waits until it has left. */
void driver_leave(struct bot_driver *driver, long grace_ms);

/* Kills the bot if it still runs and frees everything. */
void driver_free(struct bot_driver *driver);

/* The path of a program of tests/hostile; valid until the next call. */
const char *driver_hostile_path(const char *name);

#endif
