/* `referee standings` reads a store, also while it is being played in, and prints its standings. */

#include "base/deal_random.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/tournament/machines.h"
#include "cli/tournament/prune.h"
#include "tournament/report/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct standings_forms {
    bool is_json, is_csv, is_csv_cross, is_csv_matches, is_html, is_machines; /* none: text */
    enum report_language language;
    enum option_switch luck;
    const char *prune; /* a rule, or NULL */
    bool has_feed;
};

static int read_language(void *destination, const char *name, const char *value)
{
    enum report_language *language = destination;

    (void)name;
    *language = report_language_find(value);
    return *language < REPORT_LANGUAGE_COUNT ? 0 : -1;
}

#define FORM(member) OPTION_FLAG(struct standings_forms, member), .prints = true

static const struct option_row rows[] = {
    {"--json", NULL, "print one JSON document", FORM(is_json)},
    {"--csv", NULL, "print CSV, one row per bot", FORM(is_csv)},
    {"--csv-cross", NULL, "print the cross table as CSV, one row per pair", FORM(is_csv_cross)},
    {"--csv-matches", NULL, "print all matches as CSV, in the order of the schedule",
     FORM(is_csv_matches)},
    {"--machines", NULL, "print whether results depend on the machine that played them",
     FORM(is_machines)},
    {"--html", NULL, "print one HTML page with charts, in five languages", FORM(is_html)},
    {"--language", "CODE", "with --html: only en, de, nl, fr or es",
     OPTION_READ(struct standings_forms, language, read_language, "en, de, nl, fr or es")},
    {"--luck", "on|off", "whether scores are adjusted for luck, if it was measured (on)",
     OPTION_SWITCH(struct standings_forms, luck)},
    {"--prune", "days=N|best=N", "delete logs: older ones, or those without one of the best N bots",
     OPTION_TEXT(struct standings_forms, prune)},
    {"--feed", NULL, "with --prune: print the logs and the bytes that are left for a program",
     OPTION_FLAG(struct standings_forms, has_feed)},
    {.name = NULL},
};

static const struct options options = {
    .command = "standings",
    .usage = "[OPTION] STORE",
    .purpose = "Prints tables and ratings of a tournament, finished or running, from its store.\n"
               "Blocks that are not complete do not count yet.\n",
    .examples = "  referee standings build/tournament\n"
                "  referee standings --json build/tournament | jq '.bots[0].name'\n"
                "  referee standings --html build/tournament >page.html\n"
                "  referee standings --html --language fr build/tournament >page.html\n"
                "  referee standings --prune best=8 build/tournament\n",
    .rows = rows,
    .takes = "one STORE, the output folder of a tournament",
    .least = 1,
    .most = 1,
};

static void print(const struct summary *summary, const struct standings_forms *forms)
{
    const struct report *report = summary_report(summary);

    if (forms->is_json)
        report_json(stdout, report);
    else if (forms->is_csv)
        report_csv(stdout, report);
    else if (forms->is_csv_cross)
        report_csv_cross(stdout, report);
    else if (forms->is_csv_matches)
        summary_csv_matches(stdout, summary);
    else if (forms->is_html)
        report_html(stdout, report, forms->language);
    else
        report_text(stdout, report, 100);
}

static int run(const char *path, const struct standings_forms *forms)
{
    char message[600];
    struct text problem;
    struct store *store;
    struct progression *progression = NULL;
    struct summary *summary;

    text_start(&problem, message, sizeof message);
    store = store_open(path, JOURNAL_READ, &problem);
    if (store != NULL && store_is_new(store))
        text_add(&problem, "nothing was played in this store yet");
    else if (store != NULL)
        progression = progression_new(store, &problem);
    if (progression == NULL) {
        message_say("%s", message);
        store_free(store);
        return CLI_FAILED;
    }
    if (forms->is_machines) {
        machines_print(stdout, progression, store);
    } else {
        summary = summary_new(progression, store, forms->luck == OPTION_OFF);
        print(summary, forms);
        summary_free(summary);
    }
    progression_free(progression);
    store_free(store);
    return CLI_FINE;
}

int cli_standings(int argc, char **argv)
{
    struct standings_forms forms = {.language = REPORT_LANGUAGE_ALL};
    int code;

    if (options_read(&options, argc, argv, &forms, &code) < 0)
        return code;
    if (forms.is_json + forms.is_csv + forms.is_csv_cross + forms.is_csv_matches + forms.is_html +
            forms.is_machines >
        1) {
        message_say("one form at a time; see `referee standings --help`");
        return CLI_USAGE;
    }
    if (forms.language != REPORT_LANGUAGE_ALL && !forms.is_html) {
        message_say("--language goes with --html: everything else is English");
        return CLI_USAGE;
    }
    if (forms.has_feed && forms.prune == NULL) {
        message_say("--feed goes with --prune");
        return CLI_USAGE;
    }
    if (deal_random_init() != 0)
        return CLI_FAILED;
    return forms.prune != NULL ? prune(argv[1], forms.prune, forms.has_feed) : run(argv[1], &forms);
}
