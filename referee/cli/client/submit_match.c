/* A match or a tournament is handed in. What is said about rules and clocks is looked at here first, so a
 * mistake is told in the same words as by `referee play`, and then sent as it was written. */

#include "base/message.h"
#include "cli/options_match.h"
#include "cli/options.h"
#include "cli/client/cmd_submit.h"

#include <stdlib.h>

#define TOURNAMENT_MAX (1UL << 20)
#define DEALS_MAX 1000000

enum {
    OPTION_DIAL = OPTIONS_MATCH_COUNT,
    OPTION_DEALS = OPTION_DIAL + DIAL_COUNT,
    OPTION_TITLE,
    OPTION_WAIT,
    OPTION_JSON,
};

#define WAIT_HELP "wait until it is over, and print the standings"
#define JSON_HELP "print the number of the work, or the standings, as JSON"

static const struct option_row match_rows[] = {
    OPTIONS_MATCH_ROWS,
    DIAL_ROWS,
    [OPTION_DEALS] = {"--deals", "N", "play N deals (1)"},
    [OPTION_TITLE] = {"--title", "WORDS", "what it is called in the queue"},
    [OPTION_WAIT] = {"--wait", NULL, WAIT_HELP},
    [OPTION_JSON] = {"--json", NULL, JSON_HELP},
};

static const struct options match_options = {
    .usage = "submit match [OPTION...] BOT BOT...",
    .purpose =
        "Hands a match in at the daemon. A BOT is the name of one that was handed in; the same\n"
        "name twice plays against itself.\n",
    .examples = "  referee submit match anna bert\n"
                "  referee submit match anna bert --edition en2020 --deals 20 --wait\n",
    .rows = match_rows,
    .count = ARRAY_LEN(match_rows),
    .most_words = ALLEGRA_SEATS_MAX,
};

/* What the daemon calls the options about rules and clocks, in their order. */
static const char *const match_keys[OPTIONS_MATCH_COUNT] = {
    "edition", "set", "rounds", "move_ms", "start_ms", "bank_ms", "clock",
};

struct match_submission {
    struct submission submission;
    struct options_match checked;
    struct request keys; /* in the order of the command line, until the words are known */
};

static int take_match(void *context, size_t row, const char *value)
{
    struct match_submission *match = context;
    struct request *keys = &match->keys;
    long deals;

    if (row < OPTIONS_MATCH_COUNT) {
        request_add(keys, match_keys[row], value);
        return options_match_take(&match->checked, row, value);
    }
    if (row < OPTION_DIAL + DIAL_COUNT)
        return dial_take(&match->submission.dial, row - OPTION_DIAL, value);
    if (row == OPTION_DEALS) {
        request_add(keys, "deals", value);
        return options_match_number("--deals", value, 1, DEALS_MAX, &deals);
    }
    if (row == OPTION_TITLE)
        request_add(keys, "title", value);
    match->submission.is_waiting |= row == OPTION_WAIT;
    match->submission.is_json |= row == OPTION_JSON;
    return 0;
}

int submit_match(int argc, char **argv)
{
    struct match_submission match = {.checked = options_match_default()};
    size_t words = 0;
    enum options_result result;

    request_start(&match.submission.request, "match");
    request_start(&match.keys, "");
    match.submission.block = span_of("");
    result = options_read(&match_options, argc, argv, take_match, &match, &words);
    if (result != OPTIONS_FINE)
        return result == OPTIONS_HELP ? CLI_FINE : CLI_USAGE;
    if (words < ALLEGRA_SEATS_MIN) {
        message_say("a match needs at least two bots");
        return CLI_USAGE;
    }
    for (size_t i = 1; i <= words; i++)
        request_add(&match.submission.request, NULL, argv[i]);
    request_append(&match.submission.request, &match.keys);
    return submit_job(&match.submission);
}

/* A tournament. */

enum { TOURNAMENT_WAIT = DIAL_COUNT, TOURNAMENT_JSON };

static const struct option_row tournament_rows[] = {
    DIAL_ROWS,
    [TOURNAMENT_WAIT] = {"--wait", NULL, WAIT_HELP},
    [TOURNAMENT_JSON] = {"--json", NULL, JSON_HELP},
};

static const struct options tournament_options = {
    .usage = "submit tournament [OPTION...] FILE",
    .purpose =
        "Hands a tournament in at the daemon: a file as for `referee tournament`, in which a bot\n"
        "is the name of one that was handed in. Its output and jobs are the daemon's affair.\n",
    .examples = "  referee submit tournament cup.json --wait\n",
    .rows = tournament_rows,
    .count = ARRAY_LEN(tournament_rows),
    .most_words = 1,
};

static int take_tournament(void *context, size_t row, const char *value)
{
    struct submission *submission = context;

    if (row < DIAL_COUNT)
        return dial_take(&submission->dial, row, value);
    submission->is_waiting |= row == TOURNAMENT_WAIT;
    submission->is_json |= row == TOURNAMENT_JSON;
    return 0;
}

int submit_tournament(int argc, char **argv)
{
    struct submission submission = {.is_waiting = false};
    size_t words = 0, length = 0;
    enum options_result result =
        options_read(&tournament_options, argc, argv, take_tournament, &submission, &words);
    char *bytes;
    int code;

    if (result != OPTIONS_FINE)
        return result == OPTIONS_HELP ? CLI_FINE : CLI_USAGE;
    if (words != 1) {
        message_say("which tournament? Name its file");
        return CLI_USAGE;
    }
    bytes = submit_read_file(argv[1], TOURNAMENT_MAX, &length);
    if (bytes == NULL)
        return CLI_USAGE;
    request_start(&submission.request, "tournament");
    request_add_number(&submission.request, "bytes", length);
    submission.block = (struct span){bytes, length};
    code = submit_job(&submission);
    free(bytes);
    return code;
}
