/* Before the first match: the bots are found, built and looked at, and the store is opened and compared
 * with the file. */

#include "base/memory.h"
#include "base/message.h"
#include "cli/command.h"
#include "cli/containment.h"
#include "cli/tournament.h"
#include "tournament/folder.h"
#include "tournament/terms.h"

#include <stdio.h>
#include <stdlib.h>

void tournament_on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    const struct tournament *tournament = context;

    if (line == 0)
        message_say("%s: %s", tournament->path, sentence);
    else
        fprintf(stderr, "%s:%u:%u: %s\n", tournament->path, line, column, sentence);
}

void tournament_on_message(void *context, const char *words)
{
    const struct tournament *tournament = context;

    if (tournament->feed != NULL)
        feed_note(tournament->feed, words);
    else
        progress_say(tournament->progress, words);
}

static int open_store(struct tournament *tournament)
{
    char words[600];
    struct text problem;

    text_start(&problem, words, sizeof words);
    if (tournament->is_fresh && store_remove(tournament->plan->output, &problem) != 0) {
        message_say("%s", words);
        return -1;
    }
    tournament->store = store_open(tournament->plan->output, false, &problem);
    if (tournament->store == NULL)
        message_say("%s", words);
    else if (store_dropped(tournament->store) > 0)
        message_say("the last record was cut off in the middle (%zu bytes) and is dropped; its "
                    "match is played again",
                    store_dropped(tournament->store));
    return tournament->store != NULL ? 0 : -1;
}

/* Bots that the store knows and the file does not are never asked for. */
static void number_entrants(struct tournament *tournament)
{
    tournament->by_number =
        xcalloc(store_bot_count(tournament->store), sizeof *tournament->by_number);
    for (unsigned i = 0; i < tournament->plan->bot_count; i++) {
        int number = store_find_bot(tournament->store, tournament->plan->bots[i].name);

        tournament->by_number[number] = entrants_list(tournament->entrants)[i];
    }
}

/* Finds and builds the bots, and finds out whether they can be run at the level that is wanted. */
static int contain_bots(struct tournament *tournament)
{
    const struct plan *plan = tournament->plan;
    char *own = folder_join(store_folder(tournament->store), "bots");
    struct entrants_builds builds = {
        .folder = tournament->builds != NULL ? tournament->builds : own,
        .is_shared = tournament->builds != NULL,
    };
    int result = 0;

    tournament->entrants =
        entrants_new(plan, &builds, tournament->contain, tournament_on_problem, tournament);
    free(own);
    if (tournament->entrants == NULL)
        return -1;
    for (unsigned i = 0; i < plan->bot_count; i++) {
        const struct entrant *entrant = &entrants_list(tournament->entrants)[i];

        if (!entrant->is_remote &&
            containment_admit(tournament->contain, &entrant->command, entrant->folder) != 0)
            result = -1;
    }
    return result;
}

/* Before anything is made or deleted: are the bots there, and can they be contained as is wanted? What
 * is to be built can only be looked at later. */
static int look_for_bots(struct tournament *tournament)
{
    struct entrants *entrants =
        entrants_new(tournament->plan, NULL, NULL, tournament_on_problem, tournament);

    if (entrants == NULL)
        return -1;
    entrants_free(entrants);
    if (tournament->level == CONTAIN_LEVEL_COUNT)
        (void)contain_level_read(span_of(tournament->plan->contain), &tournament->level);
    tournament->contain = containment_open(tournament->level, true);
    return tournament->contain != NULL ? 0 : -1;
}

int tournament_prepare(struct tournament *tournament)
{
    struct terms_options terms = {
        .accepts_changes = tournament->accepts_changes,
        .seed_words = tournament->seed_words,
        .say = tournament_on_message,
        .context = tournament,
    };
    char words[300];
    struct text problem;

    text_start(&problem, words, sizeof words);
    if (look_for_bots(tournament) != 0)
        return CLI_USAGE;
    if (open_store(tournament) != 0)
        return CLI_FAILED;
    if (contain_bots(tournament) != 0)
        return CLI_USAGE;
    if (terms_agree(tournament->store, tournament->plan, entrants_list(tournament->entrants),
                    &terms) != 0)
        return CLI_FAILED;
    number_entrants(tournament);
    tournament->agenda = agenda_new(tournament->store, &problem);
    if (tournament->agenda == NULL)
        message_say("%s", words);
    return tournament->agenda != NULL ? CLI_FINE : CLI_USAGE;
}
