/* Before the first match: finds and builds the bots, opens the store and compares it with the
 * file. */

#include "base/escape.h"
#include "base/memory.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/options_sandbox.h"
#include "cli/tournament/cmd_tournament.h"
#include "base/directory.h"
#include "tournament/play/resume_check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tournament_on_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    const struct tournament *tournament = context;
    char *readable = escape_readable(sentence);

    if (line == 0)
        message_say("%s: %s", tournament->path, readable);
    else
        fprintf(stderr, "%s:%u:%u: %s\n", tournament->path, line, column, readable);
    free(readable);
}

void tournament_on_message(void *context, const char *message)
{
    const struct tournament *tournament = context;

    if (tournament->feed != NULL)
        feed_note(tournament->feed, message);
    else
        message_say("%s", message);
}

static int open_store(struct tournament *tournament)
{
    char message[600];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (!tournament->is_fresh) {
        tournament->store = runner_open_store(tournament->config->output, tournament->is_salvaging);
    } else {
        tournament->store = store_open_fresh(tournament->config->output, &problem);
        if (tournament->store == NULL)
            message_say("%s", message);
    }
    return tournament->store != NULL ? 0 : -1;
}

void tournament_close_store(struct tournament *tournament)
{
    char message[600];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (store_give_up(tournament->store, &problem) != 0)
        message_say("%s", message);
    else if (tournament->is_fresh && tournament->store != NULL &&
             store_is_restored(tournament->store))
        message_say("nothing was deleted: what was played before is as it was");
    store_free(tournament->store);
}

/* Bots that are in the store but not in the file are not used. */
static void number_bot_setups(struct tournament *tournament)
{
    tournament->by_number =
        xcalloc(store_bot_count(tournament->store), sizeof *tournament->by_number);
    for (unsigned i = 0; i < tournament->config->bot_count; i++) {
        int number = store_find_bot(tournament->store, tournament->config->bots[i].name);

        tournament->by_number[number] = bot_setup_list_get(tournament->bot_setups)[i];
    }
}

/* A bot that cannot be started loses its matches, and the others play. With fewer than two others
 * there is nothing to play. */
static int check_problems(struct tournament *tournament)
{
    const struct bot_setup *first = bot_setup_list_get(tournament->bot_setups);
    unsigned count = tournament->config->bot_count;
    unsigned problems = bot_setup_list_problems(tournament->bot_setups);
    char message[400];

    if (problems == 0)
        return 0;
    while (first->problem == NULL)
        first++;
    if (count - problems < 2) {
        message_say("nothing can be played: %u of %u bots cannot be started; %s: %s", problems,
                    count, first->name, first->problem);
        return -1;
    }
    snprintf(message, sizeof message,
             "%u of %u bots cannot be started and lose their matches (no_start); the others play",
             problems, count);
    tournament_on_message(tournament, message);
    return 0;
}

/* Says what the machine could not do. Returns -1. */
static int report_trouble(const char *trouble)
{
    message_say("%s; that is not the bot's fault: start again when the machine is well", trouble);
    return -1;
}

/* Finds and builds the bots, and checks that they can be run at the sandbox level. */
static int build_bots(struct tournament *tournament)
{
    const struct config *config = tournament->config;
    char *own = directory_join(store_folder(tournament->store), "bots");
    struct built_bot_place builds = {
        .folder = tournament->builds != NULL ? tournament->builds : own,
        .is_shared = tournament->builds != NULL,
        .limit_s = tournament->build_seconds,
        .memory_mb = tournament->build_memory_mb,
    };

    tournament->bot_setups =
        bot_setup_list_new(config, &builds, tournament->sandbox, tournament_on_problem, tournament);
    free(own);
    if (bot_setup_list_trouble(tournament->bot_setups) != NULL)
        return report_trouble(bot_setup_list_trouble(tournament->bot_setups));
    for (unsigned i = 0; i < config->bot_count; i++) {
        const struct bot_setup *bot_setup = &bot_setup_list_get(tournament->bot_setups)[i];

        errno = 0;
        if (bot_setup->is_remote || bot_setup->problem != NULL ||
            options_sandbox_admit(tournament->sandbox, &bot_setup->command, bot_setup->folder,
                                  bot_setup->is_folder_shared) == 0)
            continue;
        if (bot_setup_is_trouble(errno))
            return report_trouble(strerror(errno));
        bot_setup_list_refuse(tournament->bot_setups, i, "its files cannot be given to it");
    }
    return check_problems(tournament);
}

static void on_early_problem(void *context, unsigned line, unsigned column, const char *sentence)
{
    (void)context;
    (void)line;
    (void)column;
    (void)sentence;
}

/* Problems of single bots are reported when all are built, unless there are too many, or one would
 * cost results that are there. */
int tournament_find_bots(struct tournament *tournament)
{
    const struct config *config = tournament->config;
    struct bot_setup_list *list = bot_setup_list_new(config, NULL, NULL, on_early_problem, NULL);
    unsigned problems = bot_setup_list_problems(list);
    bool is_enough = tournament->is_fresh ? problems == 0 : config->bot_count - problems >= 2;
    bool has_trouble = bot_setup_list_trouble(list) != NULL;

    if (has_trouble)
        (void)report_trouble(bot_setup_list_trouble(list));
    bot_setup_list_free(list);
    if (has_trouble)
        return -1;
    if (!is_enough) {
        bot_setup_list_free(
            bot_setup_list_new(config, NULL, NULL, tournament_on_problem, tournament));
        return -1;
    }
    if (tournament->level == SANDBOX_LEVEL_COUNT)
        (void)sandbox_level_read(span_of(tournament->config->sandbox), &tournament->level);
    tournament->sandbox = options_sandbox_open(tournament->level);
    return tournament->sandbox != NULL ? 0 : -1;
}

/* Whoever contains bots does not trust them. */
static void advise(struct tournament *tournament)
{
    if (tournament->config->schedule.seatings != SCHEDULE_SINGLE &&
        sandbox_level(tournament->sandbox) != SANDBOX_NONE)
        tournament_on_message(tournament, "where strangers play for something, use "
                                          "\"seatings\": \"single\": " SCHEDULE_WHY_SINGLE);
}

/* A store without damage is only resumed. */
static void say_salvaged(const struct tournament *tournament)
{
    unsigned long decided = progression_decided(tournament->progression);

    message_say("matches that count: %lu; left to play: %lu", decided,
                progression_matches(tournament->progression) - decided);
}

/* Whether the bots are those of the store. */
static bool is_same_field(const struct tournament *tournament)
{
    const struct bot_setup *setups = bot_setup_list_get(tournament->bot_setups);

    for (unsigned i = 0; i < tournament->config->bot_count; i++) {
        int number = store_find_bot(tournament->store, setups[i].name);

        if (number < 0 || strcmp(store_bot(tournament->store, (unsigned)number)->hash,
                                 setups[i].command.hash) != 0)
            return false;
    }
    return true;
}

int tournament_prepare_block(struct tournament *tournament)
{
    char message[600];
    struct text problem;

    text_start(&problem, message, sizeof message);
    if (tournament_find_bots(tournament) != 0)
        return CLI_USAGE;
    tournament->store = store_open(tournament->config->output, JOURNAL_READ, &problem);
    if (tournament->store == NULL || !store_reveal(tournament->store)) {
        message_say("%s; `referee tournament %s --list-blocks` comes first",
                    message[0] != '\0' ? message : "the store has no master seed",
                    tournament->path);
        return CLI_FAILED;
    }
    if (build_bots(tournament) != 0)
        return CLI_USAGE;
    if (!is_same_field(tournament)) {
        message_say("the bots have changed since the blocks were listed: `referee tournament %s "
                    "--list-blocks` says what to do",
                    tournament->path);
        return CLI_FAILED;
    }
    number_bot_setups(tournament);
    tournament->progression = progression_new(tournament->store, &problem);
    if (tournament->progression == NULL)
        message_say("%s", message);
    return tournament->progression != NULL ? CLI_FINE : CLI_FAILED;
}

/* What a remote bot has seen of a match it may still know. tournament_replay_bots() writes it. */
static void redeal_begun(struct tournament *tournament)
{
    char message[200];
    unsigned count;

    for (unsigned i = 0; i < store_bot_count(tournament->store); i++) {
        if (tournament->by_number[i].is_remote)
            progression_note_memory(tournament->progression, i);
    }
    count = progression_redeal_begun(tournament->progression);
    snprintf(message, sizeof message,
             "%u match%s that remote bots have begun %s played with other cards", count,
             count == 1 ? "" : "es", count == 1 ? "is" : "are");
    if (count > 0)
        tournament_on_message(tournament, message);
}

int tournament_prepare(struct tournament *tournament)
{
    struct resume_options options = {
        .accepts_changes = tournament->accepts_changes,
        .seed_text = tournament->seed_text,
        .replayed = tournament->replayed,
        .on_message = tournament_on_message,
        .context = tournament,
    };
    char message[300];
    struct text problem;
    bool is_new;

    text_start(&problem, message, sizeof message);
    if (tournament_find_bots(tournament) != 0)
        return CLI_USAGE;
    if (open_store(tournament) != 0)
        return CLI_FAILED;
    is_new = store_is_new(tournament->store);
    if (build_bots(tournament) != 0)
        return CLI_USAGE;
    if (resume_check(tournament->store, tournament->config,
                     bot_setup_list_get(tournament->bot_setups), &options) != 0)
        return CLI_FAILED;
    number_bot_setups(tournament);
    advise(tournament);
    tournament->progression = progression_new(tournament->store, &problem);
    if (tournament->progression == NULL) {
        message_say("%s", message);
        return is_new ? CLI_USAGE : CLI_FAILED;
    }
    if (runner_repair_store(tournament->store) != 0)
        return CLI_FAILED;
    if (tournament->is_salvaging)
        say_salvaged(tournament);
    redeal_begun(tournament);
    return tournament_replay_bots(tournament) == 0 ? CLI_FINE : CLI_FAILED;
}
