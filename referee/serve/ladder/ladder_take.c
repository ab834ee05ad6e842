/* A table that is over is read from its store once, and its record is on the disk before anything
 * else is done with it. The record says when the job ended: if the job was resumed, it has ended
 * again, and its store has more. */

#include "base/memory.h"
#include "base/message.h"
#include "serve/ladder/ladder_private.h"
#include "tournament/store/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ladder_name_version(const struct ledger *ledger, unsigned place,
                         char version[LADDER_VERSION_MAX])
{
    const struct ledger_bot *bot = ledger_bot(ledger, place);

    snprintf(version, LADDER_VERSION_MAX, "%s@%u", bot->name, bot->version);
}

/* Which bot of the job a bot of its store is; -1 if it is none. */
static int find_player(const struct ledger *ledger, const struct job *job, const char *name)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        if (strcmp(ledger_player(ledger, job, i), name) == 0)
            return (int)i;
    }
    return -1;
}

/* Of luck, only what tells who knows the cards. */
static void take_luck(struct result *match, const struct result *result)
{
    if (!result->has_luck)
        return;
    match->has_luck = true;
    match->luck_version = result->luck_version;
    match->rotation = result->rotation;
    for (unsigned seat = 0; seat < match->seats; seat++) {
        match->luck[seat].choice = result->luck[seat].choice;
        match->luck[seat].choice_spread = result->luck[seat].choice_spread;
    }
}

/* The matches of a store, in which `bots` count those of the job. Returns how many. */
static size_t read_matches(const struct ledger *ledger, const struct job *job,
                           const struct store *store, struct result *matches)
{
    size_t total, count = 0;
    const struct result *results = store_results(store, &total);

    for (size_t i = 0; i < total; i++) {
        struct result match = {.block = results[i].block, .seats = results[i].seats};
        bool is_known = true;

        for (unsigned seat = 0; seat < match.seats; seat++) {
            int bot = find_player(ledger, job, store_bot(store, results[i].bots[seat])->name);

            is_known = is_known && bot >= 0;
            match.bots[seat] = (uint16_t)bot;
            match.places[seat] = results[i].places[seat];
        }
        take_luck(&match, &results[i]);
        if (is_known)
            matches[count++] = match;
    }
    return count;
}

/* Every bot of a table is in the ledger: the ladder has put it there. */
static bool is_table(const struct job *job)
{
    for (unsigned i = 0; i < job->bot_count; i++) {
        if (job->bots[i].place == LEDGER_NO_BOT)
            return false;
    }
    return job->is_match && job->bot_count <= ALLEGRA_SEATS_MAX;
}

static bool is_taken(const struct ladder *ladder, const struct job *job)
{
    const struct ladder_table *table = ladder_results_find_table(ladder->results, job->number);

    return table != NULL && table->ended_s == job->ended_s;
}

/* Returns whether it was written. */
static bool keep_table(struct ladder *ladder, const struct job *job, const struct store *store)
{
    const struct ledger *ledger = queue_ledger(ladder->all->setup.queue);
    struct ladder_table table = {
        .job = job->number,
        .ended_s = job->ended_s,
        .is_failed = job->state == JOB_FAILED,
        .version_count = job->bot_count,
    };
    char names[ALLEGRA_SEATS_MAX][LADDER_VERSION_MAX];
    const char *versions[ALLEGRA_SEATS_MAX];
    size_t total = 0;
    struct result *matches;
    int result;

    if (store != NULL)
        (void)store_results(store, &total);
    matches = xcalloc(total + 1, sizeof *matches);
    for (unsigned i = 0; i < job->bot_count; i++) {
        ladder_name_version(ledger, job->bots[i].place, names[i]);
        versions[i] = names[i];
    }
    if (store != NULL)
        table.count = read_matches(ledger, job, store, matches);
    result = ladder_results_add(ladder->results, &table, versions, matches);
    free(matches);
    if (result != 0)
        message_say("ladder %s: job %u cannot be counted yet: %s", ladder->file->name, job->number,
                    journal_error(errno));
    return result == 0;
}

static bool take_table(struct ladder *ladder, const struct job *job)
{
    char message[500];
    struct text problem;
    struct store *store;
    bool is_kept;

    text_start(&problem, message, sizeof message);
    store = queue_open_store(ladder->all->setup.queue, job->number, &problem);
    if (problem.length > 0) {
        message_say("ladder %s: job %u does not count: %s", ladder->file->name, job->number,
                    message);
        return false;
    }
    is_kept = keep_table(ladder, job, store);
    store_free(store);
    return is_kept;
}

/* Only logs need much room. */
static void remove_old_logs(struct ladder *ladder)
{
    unsigned count = ladder_results_table_count(ladder->results);

    for (; ladder->pruned + ladder->file->keep < count; ladder->pruned++) {
        unsigned job = ladder_results_table(ladder->results, ladder->pruned)->job;

        if (queue_remove_store(ladder->all->setup.queue, job) != 0)
            message_say("ladder %s: the logs of job %u cannot be removed: %s", ladder->file->name,
                        job, strerror(errno));
    }
}

/* The deadline may have been put off since. */
static bool is_final(const struct ladder *ladder, const struct job *job)
{
    return ladder->file->has_deadline && job->submitted_s >= ladder->file->deadline_s;
}

bool ladder_take_results(struct ladder *ladder)
{
    const struct ledger *ledger = queue_ledger(ladder->all->setup.queue);
    bool has_new = false;

    ladder->open_count = 0;
    ladder->final = 0;
    for (unsigned number = 1; number <= ledger_job_count(ledger); number++) {
        const struct job *job = ledger_job(ledger, number);

        if (strcmp(job->user, ladder->user) != 0)
            continue;
        if (!job->is_match)
            ladder->final = is_final(ladder, job) ? number : ladder->final;
        else if (!job_is_over(job->state))
            ladder->open_count++;
        else if (is_table(job) && !is_taken(ladder, job))
            has_new = take_table(ladder, job) || has_new;
    }
    remove_old_logs(ladder);
    return has_new;
}
