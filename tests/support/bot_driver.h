#ifndef TESTS_SUPPORT_BOT_DRIVER_H
#define TESTS_SUPPORT_BOT_DRIVER_H

/* A conversation with one bot, one question at a time: each call runs the loop until its question has
 * ended. The listener takes the line with the number of the question, lets say lines pass, and finds
 * every other number unasked. */

#include "bot/bot.h"

#include <stdbool.h>
#include <stddef.h>

#define DRIVER_ENOUGH_MS 300000 /* for what must succeed, on the busiest machine */

struct event_base;

struct bot_driver {
    struct event_base *base;
    struct bot *bot;
    enum clock_rule clock; /* to be set before the start */
    int cpu;               /* likewise, and the next four */
    const char *folder;
    const char *const *environment;
    long memory_mb;
    struct sandbox *sandbox; /* likewise; lent */
    unsigned id;             /* of the last question */
    bool has_left;

    /* How the last question ended. */
    unsigned ends; /* must be 1 */
    unsigned lines;
    enum bot_outcome outcome;
    struct bot_time time;
    bool was_in_buffer;
    char line[2048];
    char words[1024];
    char stderr_tail[512]; /* as it was at that moment */
    char ending[100];
};

void driver_init(struct bot_driver *driver);

/* Starts a program, with at most one argument. */
void driver_start(struct bot_driver *driver, const char *path, const char *argument);

/* Starts one of tests/hostile. */
void driver_start_hostile(struct bot_driver *driver, const char *name, const char *argument);

/* Greets it and waits for its hello. */
enum bot_outcome driver_hello(struct bot_driver *driver, long limit_ms);

/* Asks it the next question. */
enum bot_outcome driver_ask(struct bot_driver *driver, long limit_ms);

/* Starts a bot that computes for 30 ms before each answer, and asks it with a limit of 90 ms. A busy machine
 * may keep it from running for twenty times that limit, which is the end of all patience, but not every time:
 * so if it is late, another one is tried. */
enum bot_outcome driver_burn(struct bot_driver *driver, struct sandbox *sandbox);

/* Lets it go and waits until it has left. */
void driver_leave(struct bot_driver *driver, long grace_ms);

/* Kills what is left and gives everything back. */
void driver_free(struct bot_driver *driver);

/* The path of a program of tests/hostile; lent until the next call. */
const char *driver_hostile_path(const char *name);

#endif
