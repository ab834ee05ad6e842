/* Only a bot that is asked may think: on a shared core every other one takes time from it. Whoever
 * runs out of turn is frozen, but those that only wait pay nothing for that: what they have used is
 * read when somebody is slow, and a few times a second. A bot that was caught once is restless:
 * from then on it is frozen whenever another one is asked. Being frozen harms nobody, because a bot
 * continues before its own question is written. */

#include "bot/bot_private.h"

#include "base/clock.h"

static struct bot *first;       /* of all that run in this process */
static unsigned awake_restless; /* how many restless bots are not frozen */

void bot_rest_begin(struct bot *bot)
{
    bot->next = first;
    if (first != NULL)
        first->previous = bot;
    first = bot;
}

void bot_rest_end(struct bot *bot)
{
    if (bot->is_restless && !bot->is_frozen)
        awake_restless--;
    if (bot->previous != NULL)
        bot->previous->next = bot->next;
    else if (first == bot)
        first = bot->next;
    if (bot->next != NULL)
        bot->next->previous = bot->previous;
}

static bool is_resting(const struct bot *bot)
{
    return bot->phase == BOT_IDLE && process_is_running(&bot->process);
}

static void freeze(struct bot *bot)
{
    process_freeze(&bot->process, true);
    bot->is_frozen = true;
    awake_restless--;
}

void bot_rest_wake(struct bot *bot)
{
    if (bot->is_frozen) {
        process_freeze(&bot->process, false);
        bot->is_frozen = false;
        awake_restless++;
    }
    if (awake_restless == 0)
        return;
    for (struct bot *other = first; other != NULL; other = other->next)
        if (other != bot && other->is_restless && !other->is_frozen && is_resting(other))
            freeze(other);
}

void bot_rest_check(struct bot *bot)
{
    if (bot->may_ponder || !is_resting(bot) ||
        move_timer_idle_cpu_us(&bot->timer) < MOVE_TIMER_CALM_US)
        return;
    move_timer_ponder(&bot->timer, clock_now_us());
    if (!bot->is_restless)
        awake_restless++;
    bot->is_restless = true;
    if (bot->is_frozen)
        process_freeze(&bot->process, true);
    else
        freeze(bot);
}

void bot_rest_calm(const struct bot *asked)
{
    for (struct bot *other = first; other != NULL; other = other->next)
        if (other != asked)
            bot_rest_check(other);
}

void bot_rest_describe(struct text *text)
{
    for (struct bot *bot = first; bot != NULL; bot = bot->next) {
        if (bot->timer.pondered_us < MOVE_TIMER_CALM_US)
            continue;
        text_printf(text, "; %s used %ld ms without having been asked", bot->label,
                    (long)(bot->timer.pondered_us / 1000));
    }
}
