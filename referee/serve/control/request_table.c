/* The table of requests, and the help that is made from it. What a value means is the queue's business;
 * here is only what can be said of a line by itself. */

#include "serve/control/request.h"

#include "serve/queue/queue.h"

#define TEXT .kind = REQUEST_TEXT
#define YES .kind = REQUEST_YES
#define NUMBER(from, to) .kind = REQUEST_NUMBER, .least = (from), .most = (to)
#define DAY_MS (24 * 60 * 60 * 1000L)
#define MEMORY_MB_MAX (1L << 20)

/* clang-format off */
const struct request_form request_forms[REQUEST_VERB_COUNT] = {
    [REQUEST_HELLO] = {"hello", "1", 1, 1, .meaning = "begins: the version of this protocol, and who you are",
        .keys = {{"token", "HEX", TEXT}}},
    [REQUEST_HELP] = {"help", "", 0, 0, .meaning = "these lines"},
    [REQUEST_SUBMIT] = {"submit", "NAME", 1, 1,
        .meaning = "hands in a bot: its command, a file, or that it plays from elsewhere",
        .keys = {{"command", "TEXT", TEXT}, {"build", "TEXT", TEXT}, {"folder", "PATH", TEXT},
                 {"memory_mb", "N", NUMBER(1, MEMORY_MB_MAX)}, {"remote", "yes", YES},
                 {"file", "FILE", TEXT, .is_block = true},
                 {"bytes", "N", NUMBER(1, (long)QUEUE_UPLOAD_MAX), .is_block = true}}},
    [REQUEST_MATCH] = {"match", "BOT BOT [BOT]...", 2, 6, .meaning = "lets bots play against each other",
        .keys = {{"edition", "NAME", TEXT}, {"set", "KEY=VALUE", TEXT, .is_repeated = true},
                 {"rounds", "N", NUMBER(1, 1000)}, {"deals", "N", NUMBER(1, 100000)}, {"seatings", "HOW", TEXT},
                 {"start_ms", "N", NUMBER(1, DAY_MS)}, {"move_ms", "N", NUMBER(1, DAY_MS)}, {"bank_ms", "N", NUMBER(0, DAY_MS)},
                 {"clock", "RULE", TEXT}, {"title", "TEXT", TEXT}}},
    [REQUEST_TOURNAMENT] = {"tournament", "", 0, 0, .has_block = true, .meaning = "plays a tournament file",
        .keys = {{"bytes", "N", NUMBER(1, CONFIG_FILE_MAX), .is_block = true}}},
    [REQUEST_STATUS] = {"status", "[WORK]", 0, 1, .meaning = "how the daemon is, or a work"},
    [REQUEST_QUEUE] = {"queue", "", 0, 0, .meaning = "the works that are not over, or all; the newest last",
        .keys = {{"all", "yes", YES}, {"user", "NAME", TEXT}, {"limit", "N", NUMBER(1, 10000)}}},
    [REQUEST_BOTS] = {"bots", "[NAME]", 0, 1, .meaning = "the newest of all bots, or all versions of one"},
    [REQUEST_WATCH] = {"watch", "[WORK|off]", 0, 1, .meaning = "tells what happens, of one work or all"},
    [REQUEST_CANCEL] = {"cancel", "WORK", 1, 1, .meaning = "takes a work out of the queue, or stops it"},
    [REQUEST_RESULT] = {"result", "WORK", 1, 1, .meaning = "the standings of a work",
        .keys = {{"format", "text|json|csv|cross|matches|html", TEXT}}},
    [REQUEST_LOG] = {"log", "WORK BLOCK.MATCH", 2, 2, .meaning = "the log of a match"},
    [REQUEST_PLAY] = {"play", "NAME", 1, 1, .is_for_remote = true,
        .meaning = "this connection is that bot, and waits for its next match"},
    [REQUEST_FETCH] = {"fetch", "NAME", 1, 1, .is_for_owner = true, .is_for_remote = true,
        .meaning = "takes over the connection of such a bot"},
    [REQUEST_SHUTDOWN] = {"shutdown", "", 0, 0, .is_for_owner = true,
        .meaning = "ends the daemon after the matches that are being played, or now",
        .keys = {{"now", "yes", YES}}},
};
/* clang-format on */

void request_add_usage(struct text *text, const struct request_form *form)
{
    text_add(text, form->name);
    if (form->words[0] != '\0') {
        text_add_char(text, ' ');
        text_add(text, form->words);
    }
    for (const struct request_key *key = form->keys; key->name != NULL; key++) {
        bool is_optional = !(form->has_block && key->is_block);

        text_add(text, is_optional ? " [" : " ");
        text_add(text, key->name);
        text_add_char(text, '=');
        text_add(text, key->takes);
        text_add(text, is_optional ? key->is_repeated ? "]..." : "]" : "");
    }
}

void request_add_help(struct text *text)
{
    for (size_t i = 0; i < REQUEST_VERB_COUNT; i++) {
        request_add_usage(text, &request_forms[i]);
        text_add(text, "\n    ");
        text_add(text, request_forms[i].meaning);
        text_add(text, request_forms[i].is_for_owner ? " (only for the owner)\n" : "\n");
    }
}
