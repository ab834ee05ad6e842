/* Continues a logged match from its middle with other bots. The new match has the same seed, so
 * the same cards come; the decisions before the branch are taken from the log, and the new bots
 * are told about them as usual. The new log says where it comes from, and verifies on its own. */

#include "base/message.h"
#include "bot/bot_command.h"
#include "sandbox/sandbox.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/replay/cmd_replay.h"
#include "cli/play/play_summary.h"
#include "cli/table_view.h"
#include "match/match_host.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

struct branch {
    struct event_base *base;
    struct replay *source;
    struct match_host *host;
    struct bot_command commands[ALLEGRA_SEATS_MAX];
    char names[ALLEGRA_SEATS_MAX][BOT_COMMAND_SEAT_NAME_BYTES];
    unsigned count;
    struct score_sheet sheet;
    bool is_done;
    bool is_aborted; /* not even the match is to be finished */
    bool has_fault;
};

/* The source follows the new match decision by decision. */
static void give(void *context, unsigned seat, struct allegra_answer *answer)
{
    struct branch *branch = context;
    const struct log_record_answer *answers;
    unsigned count;
    char message[1300];
    struct text problem;

    text_start(&problem, message, sizeof message);
    while (match_decisions(replay_match(branch->source)) <
           match_decisions(match_host_get_match(branch->host)))
        (void)replay_next(branch->source, &problem);
    answers = replay_answers(branch->source, &count);
    for (unsigned i = 0; i < count; i++) {
        if (answers[i].seat == seat)
            *answer = answers[i].answer;
    }
}

static void on_events(void *context, const struct match *match, const struct allegra_events *events)
{
    struct branch *branch = context;

    (void)match;
    (void)score_sheet_add(&branch->sheet, events);
}

static void on_fault(void *context, const struct match *match, unsigned seat,
                     const struct bot_failure *failure)
{
    struct branch *branch = context;

    branch->has_fault = true;
    play_summary_fault(match, seat, failure);
}

static void on_end(void *context, struct match_host *host)
{
    struct branch *branch = context;

    (void)host;
    branch->is_done = true;
    event_base_loopbreak(branch->base);
}

static void on_signal(void *context, unsigned count)
{
    struct branch *branch = context;

    branch->is_aborted = count > 1;
    if (branch->is_aborted)
        event_base_loopbreak(branch->base);
    else
        message_say("finishing the match; press Ctrl-C again to stop now");
}

static struct match_host_setup setup_of(struct branch *branch,
                                        const struct cmd_replay_settings *settings)
{
    const struct match_setup *source = match_setup_of(replay_match(branch->source));
    struct match_host_setup setup = {
        .match = *source,
        .log_path = settings->log_path,
        .cpu = -1,
        .watch = {.on_events = on_events, .on_fault = on_fault, .context = branch},
        .on_end = on_end,
        .context = branch,
    };

    setup.match.branch_of = replay_hash(branch->source);
    setup.match.branch_at = (unsigned long)settings->branch - 1;
    setup.match.given = give;
    setup.match.given_context = branch;
    setup.match.sandbox = sandbox_level_name(SANDBOX_NONE);
    setup.match.enforced = NULL;
    setup.match.referee = NULL;
    setup.match.autopilot = 0;
    for (unsigned seat = 0; seat < branch->count; seat++) {
        setup.commands[seat] = &branch->commands[seat];
        setup.match.names[seat] = branch->names[seat];
        setup.match.commands[seat] = branch->commands[seat].text;
        setup.match.hashes[seat] = branch->commands[seat].hash;
        setup.match.is_kept[seat] = false;
        setup.match.asked_before[seat] = 0;
    }
    return setup;
}

static int finish(struct branch *branch, const struct cmd_replay_settings *settings)
{
    if (match_host_void(branch->host) != NULL || !branch->is_done) {
        play_summary_stopped(branch->host);
        return CLI_FAILED;
    }
    table_view_print_result(stdout, match_host_get_match(branch->host), &branch->sheet);
    printf("log: %s\n", settings->log_path);
    return branch->has_fault ? CLI_BOT_FAULT : CLI_FINE;
}

static int play(struct branch *branch, const struct cmd_replay_settings *settings)
{
    struct match_host_setup setup = setup_of(branch, settings);
    struct interrupt *interrupt;
    int code;

    branch->base = event_base_new();
    if (branch->base == NULL)
        return CLI_FAILED;
    interrupt_catch();
    interrupt = interrupt_watch(branch->base, on_signal, branch);
    branch->host = match_host_start(branch->base, &setup);
    while (!branch->is_done && match_host_void(branch->host) == NULL && !branch->is_aborted)
        event_base_dispatch(branch->base);
    code = finish(branch, settings);
    match_host_free(branch->host);
    interrupt_free(interrupt);
    event_base_free(branch->base);
    return code;
}

static int check(const struct branch *branch, const struct cmd_replay_settings *settings,
                 const char *path)
{
    unsigned seats = match_setup_of(replay_match(branch->source))->seats;

    if (branch->count != seats) {
        message_say("%s has %u seats: name as many bots after --", path, seats);
        return -1;
    }
    if (!cmd_replay_has_decision("--branch", settings->branch, replay_decisions(branch->source)))
        return -1;
    if (settings->log_path == NULL) {
        message_say("--branch needs --log FILE for the new log");
        return -1;
    }
    return 0;
}

static int read_bots(struct branch *branch, char **bots)
{
    char message[600];
    struct text problem;

    text_start(&problem, message, sizeof message);
    for (unsigned i = 0; i < branch->count; i++) {
        if (bot_command_read(&branch->commands[i], bots[i], &problem) != 0) {
            message_say("%s", message);
            return -1;
        }
        bot_command_name_seat(branch->names, i, branch->commands[i].name);
    }
    return 0;
}

int cmd_replay_branch(const struct cmd_replay_settings *settings, const char *path, char **bots,
                      unsigned count)
{
    struct branch branch = {.count = count};
    int code = CLI_USAGE;

    branch.source = cmd_replay_load_whole(path, NULL, NULL, "--branch");
    if (branch.source == NULL)
        return CLI_FAILED;
    if (check(&branch, settings, path) == 0 && read_bots(&branch, bots) == 0)
        code = play(&branch, settings);
    for (unsigned i = 0; i < ALLEGRA_SEATS_MAX; i++)
        bot_command_free(&branch.commands[i]);
    replay_free(branch.source);
    return code;
}
