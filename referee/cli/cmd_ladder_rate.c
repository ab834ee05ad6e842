/* `referee ladder-rate` is started by the daemon: it rates a ladder, which takes too long for the
 * loop of a daemon, and prints one line per version. So it does with the test of who knows the
 * cards. */

#include "base/message.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "serve/ladder/ladder_luck.h"
#include "serve/ladder/ladder_rating.h"

#include <stdint.h>

static const struct option_row rows[] = {{.name = NULL}};

static const struct options options = {
    .command = "ladder-rate",
    .usage = "FILE [VERSION...]",
    .purpose = "Rates the results of a ladder, for the daemon. VERSIONs are the active ones.\n",
    .examples = "  referee ladder-rate store/ladders/club.ndjson greedy@1 random@2\n",
    .rows = rows,
    .takes = "the FILE of results, and the active VERSIONs, NAME@VERSION",
    .least = 1,
    .most = SIZE_MAX,
};

int cli_ladder_rate(int argc, char **argv)
{
    struct ladder_results *results;
    char message[600];
    struct text problem;
    int code;

    if (options_read(&options, argc, argv, NULL, &code) < 0)
        return code;
    text_start(&problem, message, sizeof message);
    results = ladder_results_open(argv[1], JOURNAL_READ, &problem);
    if (results == NULL) {
        message_say("%s", message);
        return CLI_FAILED;
    }
    ladder_rating_print(stdout, results, (const char *const *)argv + 2);
    ladder_luck_print(stdout, results);
    ladder_results_free(results);
    return CLI_FINE;
}
