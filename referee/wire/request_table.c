/* The table of requests, and the help made from it. The table says only what can be checked on a
 * line by itself; what a value means is the daemon's business. */

#include "wire/request.h"

#define TEXT .kind = REQUEST_TEXT
#define YES .kind = REQUEST_YES
#define NUMBER(from, to) .kind = REQUEST_NUMBER, .least = (from), .most = (to)
#define DAY_MS (24 * 60 * 60 * 1000L)

/* clang-format off */
const struct request_form request_forms[REQUEST_VERB_COUNT] = {
    [REQUEST_HELLO] = {"hello", "1", 1, 1,
        .meaning = "starts a conversation: the version of this protocol, and who you are",
        .keys = {{"token", "HEX", TEXT}}},
    [REQUEST_HELP] = {"help", "", 0, 0, .meaning = "shows these lines"},
    [REQUEST_SUBMIT] = {"submit", "NAME", 1, 1,
        .meaning = "submits a bot: its command, a file, or that it is remote",
        .keys = {{"command", "TEXT", TEXT}, {"build", "TEXT", TEXT}, {"folder", "PATH", TEXT},
                 {"memory_mb", "N", NUMBER(16, 65536)}, {"remote", "yes", YES},
                 {"file", "FILE", TEXT, .is_block = true},
                 {"bytes", "N", NUMBER(1, REQUEST_UPLOAD_MAX), .is_block = true}}},
    [REQUEST_MATCH] = {"match", "BOT BOT [BOT]...", 2, 6, .meaning = "plays a match between bots",
        .keys = {{"edition", "NAME", TEXT}, {"set", "KEY=VALUE", TEXT, .is_repeated = true},
                 {"variant", "NAME", TEXT},
                 {"rounds", "N", NUMBER(1, 1000)}, {"deals", "N", NUMBER(1, 100000)},
                 {"seatings", "HOW", TEXT}, {"start_ms", "N", NUMBER(1, DAY_MS)},
                 {"move_ms", "N", NUMBER(1, DAY_MS)}, {"bank_ms", "N", NUMBER(0, DAY_MS)},
                 {"clock", "RULE", TEXT}, {"title", "TEXT", TEXT}}},
    [REQUEST_TOURNAMENT] = {"tournament", "", 0, 0, .has_block = true,
        .meaning = "plays a tournament file",
        .keys = {{"bytes", "N", NUMBER(1, REQUEST_CONFIG_MAX), .is_block = true}}},
    [REQUEST_STATUS] = {"status", "[JOB]", 0, 1, .meaning = "the state of the daemon, or of a job"},
    [REQUEST_QUEUE] = {"queue", "", 0, 0,
        .meaning = "jobs that are not over, or all jobs; newest last",
        .keys = {{"all", "yes", YES}, {"user", "NAME", TEXT}, {"bot", "NAME", TEXT},
                 {"kind", "match|tournament|ladder|submitted", TEXT},
                 {"limit", "N", NUMBER(1, 10000)}}},
    [REQUEST_BOTS] = {"bots", "[NAME]", 0, 1,
        .meaning = "the newest version of each bot, or all versions of one",
        .keys = {{"commands", "yes", YES}}},
    [REQUEST_LANGUAGES] = {"languages", "", 0, 0,
        .meaning = "the languages for bots that the daemon's machine has"},
    [REQUEST_LADDER] = {"ladder", "[NAME]", 0, 1,
        .meaning = "the ladders, or the ratings in one: active versions, all, or a bot's so far",
        .keys = {{"all", "yes", YES}, {"history", "BOT", TEXT}}},
    [REQUEST_WATCH] = {"watch", "[JOB|off]", 0, 1, .meaning = "sends events of one job or of all"},
    [REQUEST_CANCEL] = {"cancel", "JOB", 1, 1,
        .meaning = "removes a job from the queue, or stops it"},
    [REQUEST_RESUME] = {"resume", "JOB", 1, 1,
        .meaning = "queues a job again that is paused or has failed"},
    [REQUEST_RERUN] = {"rerun", "JOB", 1, 1,
        .meaning = "submits the same job once more: the same file, the same versions"},
    [REQUEST_REPLAY] = {"replay", "JOB NAME", 2, 2,
        .meaning = "plays the matches of a bot in a job again, with its newest version"},
    [REQUEST_PRUNE] = {"prune", "JOB", 1, 1,
        .meaning = "deletes logs of a job that is over: all, older ones, or without the best bots",
        .keys = {{"days", "N", NUMBER(0, 100000)}, {"best", "N", NUMBER(0, 100000)}}},
    [REQUEST_DISQUALIFY] = {"disqualify", "NAME", 1, 1, .is_for_organisers = true,
        .meaning = "takes a bot out of new matches and ranks; why= is for everybody to read",
        .keys = {{"why", "TEXT", TEXT}}},
    [REQUEST_REINSTATE] = {"reinstate", "NAME", 1, 1, .is_for_organisers = true,
        .meaning = "takes a disqualification back"},
    [REQUEST_REMOVE] = {"remove", "NAME", 1, 1,
        .meaning = "removes a bot and deletes its files: by its author or an organiser"},
    [REQUEST_GRADES] = {"grades", "JOB[,JOB]...", 1, 1, .is_for_organisers = true,
        .meaning = "a grade per user, from one job or from a season of several",
        .keys = {{"format", "text|csv|json", TEXT}}},
    [REQUEST_RESULT] = {"result", "JOB", 1, 1, .meaning = "the standings of a job",
        .keys = {{"format", "text|json|csv|cross|matches|html", TEXT}}},
    [REQUEST_LOG] = {"log", "JOB BLOCK.MATCH", 2, 2, .meaning = "the log of a match"},
    [REQUEST_STDERR] = {"stderr", "JOB BLOCK.MATCH NAME", 3, 3,
        .meaning = "what your bot wrote to stderr in a match"},
    [REQUEST_OUTPUT] = {"output", "BOT[@VERSION]", 1, 1,
        .meaning = "what your bot printed when it was built, greeted or checked",
        .keys = {{"of", "build|hello|check", TEXT}}},
    [REQUEST_PLAY] = {"play", "NAME", 1, 1, .is_for_remote = true,
        .meaning = "makes this connection that bot, which waits for its next match"},
    [REQUEST_FETCH] = {"fetch", "NAME", 1, 1, .is_for_owner = true, .is_for_remote = true,
        .meaning = "takes over the connection of a remote bot"},
    [REQUEST_SHUTDOWN] = {"shutdown", "", 0, 0, .is_for_owner = true,
        .meaning = "ends the daemon after the current matches, or now",
        .keys = {{"now", "yes", YES}}},
};
/* clang-format on */

void request_add_usage(struct text *text, const struct request_form *form)
{
    text_printf(text, "%s%s%s", form->name, form->arguments[0] != '\0' ? " " : "", form->arguments);
    for (const struct request_key *key = form->keys; key->name != NULL; key++) {
        bool is_optional = !(form->has_block && key->is_block);

        text_printf(text, is_optional ? " [%s=%s]%s" : " %s=%s%s", key->name, key->takes,
                    key->is_repeated ? "..." : "");
    }
}

void request_add_help(struct text *text)
{
    for (size_t i = 0; i < REQUEST_VERB_COUNT; i++) {
        request_add_usage(text, &request_forms[i]);
        text_printf(text, "\n    %s%s\n", request_forms[i].meaning,
                    request_forms[i].is_for_owner        ? " (only for the owner)"
                    : request_forms[i].is_for_organisers ? " (only for organisers)"
                                                         : "");
    }
}
