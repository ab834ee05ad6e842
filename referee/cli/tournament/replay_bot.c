/* `--replay-bot NAME`: the bot was repaired, and its past should not count. A command that was
 * stopped is repeated as it is, so the same bot is not replayed twice: as long as some of its
 * rematches are left and it is the same program, the option only resumes them. The daemon repeats
 * commands by itself and says how often a bot was to be replayed in all: NAME=TIMES. */

#include "base/message.h"
#include "cli/tournament/cmd_tournament.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define TIMES_MAX 1000000

int tournament_read_replayed(const char *value, char name[CONFIG_NAME_MAX + 1], long *times)
{
    struct span rest = span_of(value);
    struct span first = span_cut(&rest, '=');

    *times = 0;
    if (!span_is_name(first, CONFIG_NAME_MAX) ||
        (first.length < strlen(value) && span_read_number(rest, 1, TIMES_MAX, times) != 0))
        return -1;
    snprintf(name, CONFIG_NAME_MAX + 1, "%.*s", (int)first.length, first.start);
    return 0;
}

/* The program that the last rematches of a bot were for. */
static const char *last_hash(const struct store *store, unsigned bot)
{
    const char *hash = "";

    for (unsigned i = 0; i < store_rematches_count(store); i++) {
        if (store_rematches(store, i)->bot == bot)
            hash = store_rematches(store, i)->hash;
    }
    return hash;
}

/* `what` follows "is" or "are". */
static void say_rematches(struct tournament *tournament, const char *name, unsigned blocks,
                          const char *what)
{
    unsigned rotations =
        (unsigned)(schedule_matches(progression_schedule(tournament->progression)) /
                   schedule_count(progression_schedule(tournament->progression)));
    char message[300];

    snprintf(message, sizeof message, "%u match%s of bot %s %s %s", blocks * rotations,
             blocks * rotations == 1 ? "" : "es", name, blocks * rotations == 1 ? "is" : "are",
             what);
    tournament_on_message(tournament, message);
}

static int replay_bot(struct tournament *tournament, const char *name, long times)
{
    int bot = store_find_bot(tournament->store, name);
    unsigned open = 0;
    unsigned before;
    unsigned blocks;

    if (bot < 0 || store_bot(tournament->store, (unsigned)bot)->is_withdrawn) {
        message_say("--replay-bot: there is no bot %s in %s", name, tournament->path);
        return -1;
    }
    before = progression_rematches(tournament->progression, (unsigned)bot, &open);
    if (times > 0 && before >= (unsigned)times)
        return 0;
    if (times == 0 && open > 0 &&
        strcmp(last_hash(tournament->store, (unsigned)bot),
               store_bot(tournament->store, (unsigned)bot)->hash) == 0) {
        say_rematches(tournament, name, open, "still to be played again");
        return 0;
    }
    blocks = progression_add_rematches(tournament->progression, (unsigned)bot);
    if (blocks > 0)
        say_rematches(tournament, name, blocks,
                      "played again with other deals; the old results do not count any more");
    else if (times == 0)
        message_say("--replay-bot: bot %s has not played yet", name);
    return blocks > 0 || times > 0 ? 0 : -1;
}

int tournament_replay_bots(struct tournament *tournament)
{
    char name[CONFIG_NAME_MAX + 1];
    long times;

    for (unsigned i = 0; tournament->replayed[i] != NULL; i++) {
        if (tournament_read_replayed(tournament->replayed[i], name, &times) != 0 ||
            replay_bot(tournament, name, times) != 0)
            return -1;
    }
    if (store_write(tournament->store) == 0)
        return 0;
    message_say("the store cannot be written: %s", strerror(errno));
    return -1;
}
