/* Two lists, of bots and of works, which are what the journal says. Whoever adds something has it in the
 * lists at once and in the journal, to be written with ledger_write(). */

#include "serve/ledger.h"

#include "base/memory.h"
#include "serve/ledger_private.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const char *const state_names[WORK_STATE_COUNT] = {
    [WORK_QUEUED] = "queued", [WORK_PLAYING] = "playing", [WORK_DONE] = "done",
    [WORK_PAUSED] = "paused", [WORK_FAILED] = "failed",   [WORK_CANCELLED] = "cancelled",
};

const char *work_state_name(enum work_state state)
{
    return state_names[state];
}

bool work_is_over(enum work_state state)
{
    return state != WORK_QUEUED && state != WORK_PLAYING;
}

static char *copy_of(const char *words)
{
    return words != NULL ? xstrdup(words) : NULL;
}

static void clear_bot(struct ledger_bot *bot)
{
    free(bot->user);
    free(bot->command);
    free(bot->build);
    free(bot->folder);
}

static void work_free(struct work *work)
{
    free(work->user);
    free(work->title);
    free(work->bots);
    free(work->words);
    free(work->plan);
    free(work);
}

/* Opening and closing. */

struct ledger *ledger_open(const char *path, struct text *problem)
{
    struct ledger *ledger = xcalloc(1, sizeof *ledger);

    ledger->writer = json_writer_new(false);
    text_add(problem, path);
    text_add(problem, ": ");
    ledger->journal = journal_open(path, false, ledger_take, ledger, problem);
    if (ledger->journal != NULL)
        return ledger;
    ledger_free(ledger);
    return NULL;
}

void ledger_free(struct ledger *ledger)
{
    if (ledger == NULL)
        return;
    for (unsigned i = 0; i < ledger->bot_count; i++)
        clear_bot(&ledger->bots[i]);
    for (unsigned i = 0; i < ledger->work_count; i++)
        work_free(ledger->works[i]);
    free(ledger->bots);
    free((void *)ledger->works);
    json_writer_free(ledger->writer);
    journal_free(ledger->journal);
    free(ledger);
}

/* The lists. */

unsigned ledger_bot_count(const struct ledger *ledger)
{
    return ledger->bot_count;
}

const struct ledger_bot *ledger_bot(const struct ledger *ledger, unsigned place)
{
    return place < ledger->bot_count ? &ledger->bots[place] : NULL;
}

/* Names that differ only in case would share a folder on some disks. */
int ledger_find_bot(const struct ledger *ledger, const char *name)
{
    for (unsigned i = ledger->bot_count; i-- > 0;) {
        if (strcasecmp(ledger->bots[i].name, name) == 0)
            return (int)i;
    }
    return -1;
}

unsigned ledger_work_count(const struct ledger *ledger)
{
    return ledger->work_count;
}

const struct work *ledger_work(const struct ledger *ledger, unsigned number)
{
    return number >= 1 && number <= ledger->work_count ? ledger->works[number - 1] : NULL;
}

unsigned ledger_waiting(const struct ledger *ledger, const char *user)
{
    unsigned left = ledger->opened;
    unsigned count = 0;

    if (user == NULL)
        return ledger->opened;
    /* Those that are not over are mostly the last ones. */
    for (unsigned i = ledger->work_count; i-- > 0 && left > 0;) {
        if (work_is_over(ledger->works[i]->state))
            continue;
        left--;
        if (strcmp(ledger->works[i]->user, user) == 0)
            count++;
    }
    return count;
}

struct ledger_bot *ledger_keep_bot(struct ledger *ledger, const struct ledger_bot *bot)
{
    int before = ledger_find_bot(ledger, bot->name);
    struct ledger_bot *kept;

    if (ledger->bot_count == ledger->bot_capacity) {
        ledger->bot_capacity = 2 * ledger->bot_capacity + 16;
        ledger->bots = xrealloc(ledger->bots, ledger->bot_capacity * sizeof *ledger->bots);
    }
    kept = &ledger->bots[ledger->bot_count];
    *kept = *bot;
    kept->version = before >= 0 ? ledger->bots[before].version + 1 : 1;
    kept->user = copy_of(bot->user);
    kept->command = copy_of(bot->command);
    kept->build = copy_of(bot->build);
    kept->folder = copy_of(bot->folder);
    ledger->bot_count++;
    return kept;
}

struct work *ledger_keep_work(struct ledger *ledger, const struct work *work)
{
    struct work *kept = xcalloc(1, sizeof *kept);

    if (ledger->work_count == ledger->work_capacity) {
        ledger->work_capacity = 2 * ledger->work_capacity + 16;
        ledger->works =
            (struct work **)xrealloc((void *)ledger->works, ledger->work_capacity * sizeof(void *));
    }
    *kept = *work;
    kept->number = ledger->work_count + 1;
    kept->state = WORK_QUEUED;
    kept->user = copy_of(work->user);
    kept->title = copy_of(work->title);
    kept->words = xstrdup("");
    kept->plan = copy_of(work->plan);
    kept->bots = xcalloc(work->bot_count + 1U, sizeof *kept->bots);
    for (unsigned i = 0; i < work->bot_count; i++)
        kept->bots[i] = work->bots[i];
    ledger->works[ledger->work_count++] = kept;
    ledger->opened++;
    return kept;
}

static void add_score(struct ledger_bot *bot, const struct ledger_score *score)
{
    bot->matches += score->matches;
    bot->wins += score->wins;
    for (unsigned i = 0; i < LEDGER_FAULTS; i++)
        bot->faults[i] += score->faults[i];
    if (score->matches > 0) {
        bot->median_us = score->median_us;
        bot->p99_us = score->p99_us;
    }
}

void ledger_keep_end(struct ledger *ledger, struct work *work, enum work_state state,
                     const char *words, const struct ledger_score *scores)
{
    char *copy = xstrdup(words);

    work->state = state;
    free(work->words);
    work->words = copy;
    free(work->plan);
    work->plan = NULL;
    ledger->opened--;
    for (unsigned i = 0; i < work->bot_count && scores != NULL; i++) {
        if (work->bots[i] != LEDGER_NO_BOT)
            add_score(&ledger->bots[work->bots[i]], &scores[i]);
    }
}

/* What happens. */

unsigned ledger_add_bot(struct ledger *ledger, const struct ledger_bot *bot)
{
    struct ledger_bot *kept = ledger_keep_bot(ledger, bot);

    kept->given_s = time(NULL);
    ledger->mark = journal_mark(ledger->journal);
    ledger->was_bot = true;
    ledger_record_bot(ledger, kept);
    return ledger->bot_count - 1;
}

unsigned ledger_add_work(struct ledger *ledger, const struct work *work)
{
    struct work *kept = ledger_keep_work(ledger, work);

    kept->given_s = time(NULL);
    ledger->mark = journal_mark(ledger->journal);
    ledger->was_bot = false;
    ledger_record_work(ledger, kept);
    return kept->number;
}

void ledger_end_work(struct ledger *ledger, unsigned number, enum work_state state,
                     const char *words, const struct ledger_score *scores)
{
    struct work *work = ledger->works[number - 1];

    work->ended_s = time(NULL);
    ledger_keep_end(ledger, work, state, words, scores);
    ledger_record_end(ledger, work, scores);
}

void ledger_set_state(struct ledger *ledger, unsigned number, enum work_state state)
{
    ledger->works[number - 1]->state = state;
}

void ledger_set_progress(struct ledger *ledger, unsigned number, unsigned long decided,
                         unsigned long matches)
{
    ledger->works[number - 1]->decided = decided;
    ledger->works[number - 1]->matches = matches;
}

void ledger_count_death(struct ledger *ledger, unsigned number)
{
    ledger->works[number - 1]->deaths++;
}

int ledger_write(struct ledger *ledger)
{
    return journal_write(ledger->journal);
}

void ledger_take_back(struct ledger *ledger)
{
    journal_return(ledger->journal, ledger->mark);
    if (ledger->was_bot) {
        clear_bot(&ledger->bots[--ledger->bot_count]);
    } else {
        work_free(ledger->works[--ledger->work_count]);
        ledger->opened--;
    }
}
