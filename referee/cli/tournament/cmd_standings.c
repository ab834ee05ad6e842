/* `referee standings` reads a store, whether somebody is playing in it or not, and tells what it knows. */

#include "base/deal_random.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "tournament/report/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_JSON,
    OPTION_CSV,
    OPTION_CROSS,
    OPTION_MATCHES,
    OPTION_HTML,
};

static const struct option_row rows[] = {
    [OPTION_JSON] = {"--json", NULL, "as one JSON document"},
    [OPTION_CSV] = {"--csv", NULL, "as CSV, a row a bot"},
    [OPTION_CROSS] = {"--csv-cross", NULL, "the cross table as CSV, a row a pair"},
    [OPTION_MATCHES] = {"--csv-matches", NULL, "all matches as CSV, in the order of the schedule"},
    [OPTION_HTML] = {"--html", NULL, "as one HTML page with charts"},
};

static const struct options options = {
    .usage = "standings STORE",
    .purpose = "Prints tables and ratings of a tournament, finished or running, from its store.\n"
               "Deal blocks that are not complete do not count yet.\n",
    .examples = "  referee standings build/tournament\n"
                "  referee standings --json build/tournament | jq '.bots[0].name'\n"
                "  referee standings --html build/tournament >page.html\n",
    .rows = rows,
    .count = ARRAY_LEN(rows),
    .most_words = 1,
};

struct standings_settings {
    int form; /* a row of the options; -1: text */
};

static int take(void *context, size_t row, const char *value)
{
    struct standings_settings *settings = context;

    (void)value;
    if (settings->form >= 0 && settings->form != (int)row) {
        message_say("one form at a time: %s or %s", rows[settings->form].name, rows[row].name);
        return -1;
    }
    settings->form = (int)row;
    return 0;
}

static void print(const struct summary *summary, int form)
{
    const struct report *report = summary_report(summary);

    switch (form) {
    case OPTION_JSON:
        report_json(stdout, report);
        break;
    case OPTION_CSV:
        report_csv(stdout, report);
        break;
    case OPTION_CROSS:
        report_csv_cross(stdout, report);
        break;
    case OPTION_MATCHES:
        summary_csv_matches(stdout, summary);
        break;
    case OPTION_HTML:
        report_html(stdout, report);
        break;
    default:
        report_text(stdout, report, 100);
        break;
    }
}

static int run(const char *path, int form)
{
    char words[600];
    struct text problem;
    struct store *store;
    struct progression *progression = NULL;
    struct summary *summary;

    text_start(&problem, words, sizeof words);
    store = store_open(path, true, &problem);
    if (store != NULL && store_is_new(store))
        text_add(&problem, "nothing was played in this store yet");
    else if (store != NULL)
        progression = progression_new(store, &problem);
    if (progression == NULL) {
        message_say("%s", words);
        store_free(store);
        return CLI_FAILED;
    }
    summary = summary_new(progression, store);
    print(summary, form);
    summary_free(summary);
    progression_free(progression);
    store_free(store);
    return CLI_FINE;
}

int cli_standings(int argc, char **argv)
{
    struct standings_settings settings = {.form = -1};
    size_t words = 0;
    enum options_result result = options_read(&options, argc, argv, take, &settings, &words);

    if (result != OPTIONS_FINE)
        return result == OPTIONS_HELP ? CLI_FINE : CLI_USAGE;
    if (words != 1 || deal_random_init() != 0) {
        message_say("which store? It is the output folder of a tournament");
        return CLI_USAGE;
    }
    return run(argv[1], settings.form);
}
