/* Submits a match or a tournament. Options about rules and clocks are checked here first, so that
 * mistakes are reported as by `referee play`. Those about clocks are sent as they were written; of
 * the rules, what they come to: an edition, the keys that differ and a name. So the file of a
 * variant is read here, never by the daemon. */

#include "cli/options_match.h"
#include "cli/options.h"
#include "cli/client/cmd_submit.h"

#include <stdio.h>
#include <stdlib.h>

#define DEALS_MAX 1000000
#define WAIT_HELP "wait until it is over, and print the standings"
#define JSON_HELP "print the number of the job, or the standings, as JSON"

struct match_submission {
    struct submission submission;
    struct options_match checked;
    struct request_line keys; /* in the order of the command line, until the bots are known */
    long deals;
    const char *title;
};

static const struct option_row match_rows[] = {
    {OPTIONS_MATCH(struct match_submission, checked)},
    {DIAL_OPTIONS(struct match_submission, submission.dial)},
    {"--deals", "N", "play N deals (1)",
     OPTION_NUMBER(struct match_submission, deals, 1, DEALS_MAX)},
    {"--title", "TEXT", "its title in the queue", OPTION_TEXT(struct match_submission, title)},
    {"--wait", NULL, WAIT_HELP, OPTION_FLAG(struct match_submission, submission.is_waiting)},
    {"--json", NULL, JSON_HELP, OPTION_FLAG(struct match_submission, submission.is_json)},
    {.name = NULL},
};

/* Passes the options about clocks on to the daemon, as they were written. */
static void add_key(void *settings, const char *name, const char *value)
{
    static const char *const keys[][2] = {
        {"--move-ms", "move_ms"},
        {"--start-ms", "start_ms"},
        {"--bank-ms", "bank_ms"},
        {"--clock", "clock"},
    };
    struct match_submission *match = settings;

    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        if (strcmp(name, keys[i][0]) == 0)
            request_line_add(&match->keys, keys[i][1], value);
    }
}

static void add_rules(struct match_submission *match)
{
    const struct options_rules *game = &match->checked.game;
    char changes[RULES_CHANGES_MAX];
    struct text text;
    struct span rest, pair;

    if (!game->is_given && !game->is_named)
        return;
    request_line_add(&match->keys, "edition",
                     allegra_edition_name((enum allegra_edition)game->rules.edition));
    text_start(&text, changes, sizeof changes);
    rules_write_changes(&text, &game->rules, " ");
    rest = span_of(changes);
    for (pair = span_cut_word(&rest); pair.length > 0; pair = span_cut_word(&rest)) {
        char copy[100];

        snprintf(copy, sizeof copy, "%.*s", (int)pair.length, pair.start);
        request_line_add(&match->keys, "set", copy);
    }
    if (game->variant[0] != '\0')
        request_line_add(&match->keys, "variant", game->variant);
}

static const struct options match_options = {
    .command = "submit match",
    .usage = "[OPTION...] BOT BOT...",
    .purpose =
        "Submits a match. A BOT is the name of a bot that was submitted; given twice, it plays\n"
        "against itself.\n",
    .examples = "  referee submit match anna bert\n"
                "  referee submit match anna bert --edition en2020 --deals 20 --wait\n",
    .rows = match_rows,
    .takes = "2 to 6 bots",
    .least = ALLEGRA_SEATS_MIN,
    .most = ALLEGRA_SEATS_MAX,
    .on_option = add_key,
};

int submit_match(int argc, char **argv)
{
    struct match_submission match = {.checked = options_match_default()};
    int code, count;

    request_line_start(&match.submission.request, REQUEST_MATCH);
    request_line_start(&match.keys, REQUEST_MATCH);
    match.submission.block = span_of("");
    count = options_read(&match_options, argc, argv, &match, &code);
    if (count < 0)
        return code;
    for (int i = 1; i <= count; i++)
        request_line_add(&match.submission.request, NULL, argv[i]);
    add_rules(&match);
    if (match.deals > 0)
        request_line_add_number(&match.keys, "deals", (unsigned long)match.deals);
    if (match.title != NULL)
        request_line_add(&match.keys, "title", match.title);
    request_line_append(&match.submission.request, &match.keys);
    return submit_job(&match.submission);
}

/* A tournament. */

static const struct option_row tournament_rows[] = {
    {DIAL_OPTIONS(struct submission, dial)},
    {"--wait", NULL, WAIT_HELP, OPTION_FLAG(struct submission, is_waiting)},
    {"--json", NULL, JSON_HELP, OPTION_FLAG(struct submission, is_json)},
    {.name = NULL},
};

static const struct options tournament_options = {
    .command = "submit tournament",
    .usage = "[OPTION...] FILE",
    .purpose =
        "Submits a tournament: a file as for `referee tournament`, in which a bot is the name of\n"
        "one that was submitted. The daemon itself sets the keys `output` and `workers`.\n",
    .examples = "  referee submit tournament cup.json --wait\n",
    .rows = tournament_rows,
    .takes = "one FILE",
    .least = 1,
    .most = 1,
};

int submit_tournament(int argc, char **argv)
{
    struct submission submission = {.is_waiting = false};
    size_t length = 0;
    char *bytes;
    int code;

    if (options_read(&tournament_options, argc, argv, &submission, &code) < 0)
        return code;
    bytes = submit_read_file(argv[1], REQUEST_CONFIG_MAX, &length);
    if (bytes == NULL)
        return CLI_USAGE;
    request_line_start(&submission.request, REQUEST_TOURNAMENT);
    request_line_add_number(&submission.request, "bytes", length);
    submission.block = (struct span){bytes, length};
    code = submit_job(&submission);
    free(bytes);
    return code;
}
