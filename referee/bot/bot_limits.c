/* Some limits have no kernel behind them: what all processes of a bot use together, and what lies in its
 * scratch folder. So a timer looks a few times a second, which costs some microseconds, and stops a bot
 * that has too much. It can be above the limit for as long as the timer takes to come. The bot is only killed
 * here; its next question, or the one that is open, finds it gone. */

#include "bot/bot_private.h"

#include "sandbox/jail.h"
#include "sandbox/reaper.h"
#include "sandbox/memory_use.h"

#define WATCH_US 100000

static bool is_too_large(const struct bot *bot, struct text *words)
{
    int64_t most_kb = (int64_t)bot->memory_mb * 1024;

    if (bot->memory_mb == 0 || memory_use_kb(bot->pid, most_kb) <= most_kb)
        return false;
    text_add(words, "it was stopped: it used more than ");
    text_add_number(words, bot->memory_mb);
    text_add(words, " MB of memory");
    return true;
}

void bot_limits_on_time(evutil_socket_t fd, short what, void *context)
{
    struct bot *bot = context;
    struct text words;

    (void)fd;
    (void)what;
    if (bot->is_ended)
        return;
    /* What a bot has put out of our sight would not be counted. */
    if (bot->jail != NULL)
        (void)reaper_kill_orphans(0);
    text_start(&words, bot->stop_words, sizeof bot->stop_words);
    if (is_too_large(bot, &words) || (bot->jail != NULL && jail_is_overfull(bot->jail, &words))) {
        bot_exit_kill(bot);
        (void)event_del(&bot->on_watch);
    }
}

void bot_limits_start(struct bot *bot)
{
    struct timeval wait = {.tv_usec = WATCH_US};

    if (bot->memory_mb > 0 || bot->jail != NULL)
        (void)event_add(&bot->on_watch, &wait);
}
